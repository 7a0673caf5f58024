import type { Database } from './database.ts'
import { migrations } from './schema.ts'
import { StoreError } from './storeError.ts'

/** Any number: it only has to be the same in every process that migrates. */
const migrationLock = 7_305_177

/**
 * Brings the database to the newest schema, once, whoever comes first; later callers wait and find
 * nothing to do. A database written by a newer release is refused rather than guessed at.
 */
export const migrate = async (database: Database): Promise<void> => {
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await tx.execute('create table if not exists schema_migrations (id int4 primary key)')
    const done = await tx.query<{ id: number }>('select id from schema_migrations order by id')
    const newest = migrations.at(-1)?.id ?? 0
    const found = done.at(-1)?.id ?? 0
    if (found > newest)
      throw new StoreError(`The database has schema ${found}, this release knows ${newest}`, {
        reason: 'schema',
        hint: 'Start the release that wrote the database, or give another one.',
      })
    for (const migration of migrations.filter((m) => m.id > found)) {
      await tx.execute(migration.sql)
      await tx.query('insert into schema_migrations (id) values ($1)', [migration.id])
    }
  })
}
