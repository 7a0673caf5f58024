import type { Database } from 'polgate-service/store/database.ts'

/** Copies of all rows of a database, inside it. */
export type DatabaseCopies = {
  /** Copies the rows as of now. Replaces an earlier copy of this name. */
  take(name: string): Promise<void>
  /** Makes the rows those of the copy, which is kept. Nothing else may use the database meanwhile. */
  restore(name: string): Promise<void>
  drop(name: string): Promise<void>
  /** Drops the copies whose names begin so. */
  dropAll(prefix: string): Promise<void>
}

/** Not a table of the service: which migrations have run never differs between copies. */
const kept = 'schema_migrations'
/**
 * The rights of running processes are no state: a lease in a copy would be of a process that has ended, and what it
 * was for, such as posting results, would wait until it expires.
 */
const emptied = 'leases'

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Rows are copied within the engine, which takes milliseconds, where writing a snapshot file takes
 * about a second. Sequences continue where they were: a number is never used twice.
 */
export function createDatabaseCopies(database: Database): DatabaseCopies {
  const tables = async () => {
    const found = await database.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> $1 order by 1",
      [kept],
    )
    return found.map(({ name }) => name)
  }
  /** Most tables are empty most of the time, and emptying one costs more than asking. */
  async function used(schema: string, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return []
    const tests = names.map(
      (name) =>
        `select '${name}' as name where exists (select from ${quote(schema)}.${quote(name)})`,
    )
    const rows = await database.query<{ name: string }>(tests.join(' union all '))
    return rows.map(({ name }) => name)
  }
  const inSchema = async (schema: string) => {
    const found = await database.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1 order by 1',
      [schema],
    )
    return found.map(({ name }) => name)
  }

  return {
    async take(name) {
      const schema = quote(name)
      const present = (await tables()).filter((table) => table !== emptied)
      const filled = await used('public', present)
      await database.transaction(async (tx) => {
        const copies = filled.map(
          (table) => `create table ${schema}.${quote(table)} as table public.${quote(table)}`,
        )
        await tx.execute(
          [`drop schema if exists ${schema} cascade`, `create schema ${schema}`, ...copies].join(
            ';\n',
          ),
        )
      })
    },
    async restore(name) {
      const [now, then] = [await used('public', await tables()), await inSchema(name)]
      await database.transaction(async (tx) => {
        const insert = then.map(
          (table) =>
            `insert into public.${quote(table)} overriding system value select * from ${quote(name)}.${quote(table)}`,
        )
        await tx.execute(
          [
            // The order of tables does not matter then: foreign keys are not checked row by row.
            "set local session_replication_role = 'replica'",
            ...(now.length === 0
              ? []
              : [`truncate ${now.map((table) => `public.${quote(table)}`).join(', ')} cascade`]),
            ...insert,
          ].join(';\n'),
        )
      })
    },
    async dropAll(prefix) {
      const found = await database.query<{ name: string }>(
        'select nspname as name from pg_namespace where starts_with(nspname, $1)',
        [prefix],
      )
      for (const { name } of found)
        await database.execute(`drop schema if exists ${quote(name)} cascade`)
    },
    async drop(name) {
      await database.execute(`drop schema if exists ${quote(name)} cascade`)
    },
  }
}
