import type { Queries } from '../store/database.ts'
import { migrations } from '../store/schema.ts'
import { keptTables, type Table } from './catalog.ts'
import type { Manifest } from './manifest.ts'
import { SnapshotError } from './snapshotError.ts'

/** A table, and the index of each of its columns in a row of the snapshot. */
export type MatchedTable = { readonly table: Table; readonly order: readonly number[] }

/**
 * Matches the tables of the snapshot to those of the database.
 *
 * @throws SnapshotError `version` when they differ although the schema version is the same
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
          `The table ${name} of the snapshot does not match schema ${schema}`,
          {
            code: 'version',
            hint: 'Load it with the release that wrote it.',
          },
        )
      return [name, { table, order }]
    }),
  )
}

/** Every table that a migration creates. */
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
 * Rejects a schema with tables of another application, which must not be moved.
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
  throw new SnapshotError(
    `The database also has the table ${other.name}, which does not belong to the service`,
    {
      code: 'occupied',
      hint: 'Use a separate database for the service.',
    },
  )
}
