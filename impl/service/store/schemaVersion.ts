import type { Queries } from './database.ts'
import { migrations } from './schema.ts'
import { StoreError } from './storeError.ts'

/** The newest schema version that this release supports. */
export const newestSchema: number = migrations.at(-1)?.id ?? 0

/** The schema version of a database, 0 without migrations. Changes nothing. */
export async function schemaVersion(queries: Queries): Promise<number> {
  const [found] = await queries.query<{ there: boolean }>(
    `select to_regclass(quote_ident(current_schema()) || '.schema_migrations') is not null as there`,
  )
  if (!found?.there) return 0
  const [row] = await queries.query<{ id: number }>(
    'select coalesce(max(id), 0)::int4 as id from schema_migrations',
  )
  return row?.id ?? 0
}

/** @throws StoreError `schema` for a version of a later release */
export function refuseNewer(found: number): void {
  if (found <= newestSchema) return
  throw new StoreError(`The database has schema ${found}, this release supports ${newestSchema}`, {
    code: 'schema',
    hint: 'Use the release that wrote the database, or another database.',
  })
}
