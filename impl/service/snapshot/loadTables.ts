import type { Database, Transaction } from '../store/database.ts'
import { migrateTo } from '../store/migrate.ts'
import { newestSchema, schemaVersion } from '../store/schemaVersion.ts'
import { keptTables } from './catalog.ts'
import { loadRows } from './loadRows.ts'
import type { Manifest } from './manifest.ts'
import { matchingTables, refuseOthersTables } from './ownTables.ts'
import type { Part } from './readContainer.ts'
import { damaged, SnapshotError } from './snapshotError.ts'

export type LoadedTables = {
  readonly rows: Readonly<Record<string, number>>
  /** The schema that now has the earlier data; undefined without earlier data. */
  readonly asideSchema: string | undefined
}

export type LoadTablesOptions = {
  readonly manifest: Manifest
  /** Whether existing data may be moved aside. */
  readonly replace: boolean
  /** Part of the name of the moved data: letters, digits, underscores. */
  readonly stamp: string
  /** Calls `take` with each part of the database, in order. */
  readonly eachPart: (take: (part: Part) => Promise<void>) => Promise<void>
}

/**
 * Loads a database in one transaction: afterwards it has either everything or its earlier data.
 * Rows are loaded into the schema version that they were saved from, which is then migrated as
 * usual.
 *
 * @throws SnapshotError `in-use`, `occupied`, `damaged`; StoreError
 */
export async function loadTables(
  database: Database,
  { manifest, replace, stamp, eachPart }: LoadTablesOptions,
): Promise<LoadedTables> {
  const loaded = await database.transaction(async (tx) => {
    const asideSchema = await makeRoom(tx, { manifest, replace, stamp })
    const tables = await matchingTables(tx, manifest)
    const rows: Record<string, number> = {}
    for (const { name } of manifest.tables) rows[name] = 0
    await eachPart(async ({ name, bytes }) => {
      const [, table = ''] = name.split('/')
      const target = tables.get(table)
      if (target === undefined) throw damaged(`there is no table ${table}`)
      rows[table] = (rows[table] ?? 0) + (await loadRows(tx, target.table, target.order, bytes))
    })
    await migrateTo(newestSchema, tx)
    return { rows, asideSchema }
  })
  // Otherwise the first queries would be planned for empty tables.
  await database.execute('analyze')
  return loaded
}

async function makeRoom(
  tx: Transaction,
  { manifest, replace, stamp }: Omit<LoadTablesOptions, 'eachPart'>,
): Promise<string | undefined> {
  const found = await schemaVersion(tx)
  if (found === 0) {
    await migrateTo(manifest.schema, tx)
    return undefined
  }
  await refuseRunning(tx)
  const occupied = await hasRows(tx)
  if (!occupied && found === manifest.schema) return undefined
  if (occupied && !replace)
    throw new SnapshotError('The database already has data', {
      code: 'occupied',
      hint: 'Choose another one, or pass --replace to move the existing data aside.',
    })
  const [here] = await tx.query<{ name: string; quoted: string }>(
    'select current_schema() as name, quote_ident(current_schema()) as quoted',
  )
  const { name, quoted } = here as { name: string; quoted: string }
  await refuseOthersTables(tx)
  const aside = `${name.replace(/\W/g, '').slice(0, 30)}_before_${stamp}`.toLowerCase()
  await tx.execute(`alter schema ${quoted} rename to "${aside}"`)
  await tx.execute(`create schema ${quoted}`)
  if (!occupied) await tx.execute(`drop schema "${aside}" cascade`)
  await migrateTo(manifest.schema, tx)
  return occupied ? aside : undefined
}

async function hasRows(tx: Transaction): Promise<boolean> {
  for (const { quoted } of await keptTables(tx)) {
    const [row] = await tx.query<{ some: boolean }>(
      `select exists (select 1 from ${quoted}) as some`,
    )
    if (row?.some) return true
  }
  return false
}

/**
 * A running gateway would continue to write into the moved data, and an indexer into the loaded
 * data.
 */
async function refuseRunning(tx: Transaction): Promise<void> {
  const [there] = await tx.query<{ leases: boolean }>(
    `select to_regclass(quote_ident(current_schema()) || '.leases') is not null as leases`,
  )
  if (!there?.leases) return
  const held = await tx.query<{ name: string }>(
    'select name from leases where until > clock_timestamp() order by name limit 1',
  )
  if (held.length === 0) return
  throw new SnapshotError(`A service is running on the database (${held[0]?.name})`, {
    code: 'in-use',
    hint: 'Stop it, wait a few seconds, and load again.',
  })
}
