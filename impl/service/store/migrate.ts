import type { Database, Transaction } from './database.ts'
import { migrations } from './schema.ts'
import { newestSchema, refuseNewer } from './schemaVersion.ts'

/** An arbitrary number, the same in every process that migrates. */
const migrationLock = 7_305_177

/**
 * Migrates the database to the newest schema. Of concurrent callers one migrates; the others wait
 * and find nothing to do. A database written by a newer release is rejected.
 *
 * @returns the ids of the migrations that were applied
 * @throws StoreError `schema`
 */
export const migrate = (database: Database): Promise<number[]> =>
  database.transaction((tx) => migrateTo(newestSchema, tx))

/** The same within an open transaction, up to a given version. */
export async function migrateTo(version: number, tx: Transaction): Promise<number[]> {
  await tx.query('select pg_advisory_xact_lock($1)', [migrationLock])
  await tx.execute('create table if not exists schema_migrations (id int4 primary key)')
  const done = await tx.query<{ id: number }>('select id from schema_migrations order by id')
  const found = done.at(-1)?.id ?? 0
  refuseNewer(found)
  const pending = migrations.filter(({ id }) => id > found && id <= version)
  for (const { id, sql, fill } of pending) {
    await tx.execute(sql)
    await fill?.(tx)
    await tx.query('insert into schema_migrations (id) values ($1)', [id])
  }
  return pending.map(({ id }) => id)
}
