import type { Queries } from '../store/database.ts'
import { migrations } from '../store/schema.ts'
import { keptTables, type Table } from './catalog.ts'
import type { Manifest } from './manifest.ts'
import { SnapshotError } from './snapshotError.ts'

/** A table, and where in a row of the snapshot each of its columns is. */
export type MatchedTable = { readonly table: Table; readonly order: readonly number[] }

/**
 * The tables of the database that those of the snapshot go into.
 *
 * @throws SnapshotError `version` where they differ, though both have the same schema
 */
export async function matchingTables(
  queries: Queries,
  { tables, schema }: Manifest,
): Promise<ReadonlyMap<string, MatchedTable>> {
  const found = new Map((await keptTables(queries)).map((table) => [table.name, table]))
  return new Map(
    tables.map(({ name, columns }) => {
      const table = found.get(name)
      const order = table?.columns.map((column) => columns.indexOf(column.name)) ?? []
      if (table === undefined || order.length !== columns.length || order.includes(-1))
        throw new SnapshotError(
          `The snapshot has another table ${name} than schema ${schema} has`,
          {
            code: 'version',
            hint: 'Load it with the release that wrote it.',
          },
        )
      return [name, { table, order }]
    }),
  )
}

/** Every table that a migration has made. */
export const ownTables = (): ReadonlySet<string> =>
  new Set([
    'schema_migrations',
    ...migrations.flatMap(({ sql }) =>
      [...sql.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(
        ([, name]) => name as string,
      ),
    ),
  ])

/**
 * Tables of another application would be moved away under its feet.
 *
 * @throws SnapshotError `occupied`
 */
export async function refuseOthersTables(queries: Queries): Promise<void> {
  const own = ownTables()
  const all = await queries.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = quote_ident(current_schema())::regnamespace
       and relkind in ('r', 'p', 'v', 'm', 'f')`,
  )
  const other = all.find(({ name }) => !own.has(name))
  if (other === undefined) return
  throw new SnapshotError(`The database also has the table ${other.name}, which is not ours`, {
    code: 'occupied',
    hint: 'Give the service a database of its own.',
  })
}
