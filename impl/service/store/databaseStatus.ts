import type { Database, Queries } from './database.ts'
import { migrations } from './schema.ts'
import { newestSchema, refuseNewer, schemaVersion } from './schemaVersion.ts'

/** The state of a database, as shown before an upgrade and in monitoring. */
export type DatabaseStatus = {
  readonly engine: Database['engine']
  /** The version of PostgreSQL. */
  readonly engineVersion: string
  readonly schema: number
  readonly newestSchema: number
  /** Ids of the migrations that have not been applied. */
  readonly pending: readonly number[]
  readonly tables: readonly TableStatus[]
  /** Undefined when the schema is too old to store it. */
  readonly unfinishedTasks: number | undefined
  readonly queuedPostings: number | undefined
  readonly pendingNotifications: number | undefined
  readonly indexers: readonly IndexerStatus[] | undefined
}

export type TableStatus = {
  readonly name: string
  readonly rows: number
  /** Whether `rows` is PostgreSQL's estimate, because counting a large table takes long. */
  readonly estimated: boolean
  /** Including its indexes. */
  readonly bytes: number
}

export type IndexerStatus = {
  readonly chainId: number
  /** Every block before this one has been read. */
  readonly nextBlock: number
  readonly updatedAt: Date
}

/** Tables with more rows than this, by PostgreSQL's estimate, are not counted. */
const countedRows = 200_000

/**
 * Reads a consistent snapshot of any schema version and changes nothing.
 *
 * @throws StoreError `schema` for a database of a newer release
 */
export const databaseStatus = (database: Database): Promise<DatabaseStatus> =>
  database.transaction(async (tx) => {
    await tx.execute('set transaction isolation level repeatable read, read only')
    const schema = await schemaVersion(tx)
    refuseNewer(schema)
    const [server] = await tx.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    const since = async <T>(version: number, read: () => Promise<T>) =>
      schema >= version ? await read() : undefined
    return {
      engine: database.engine,
      engineVersion: String(server?.version).split(' ')[0] as string,
      schema,
      newestSchema,
      pending: migrations.map(({ id }) => id).filter((id) => id > schema),
      tables: schema === 0 ? [] : await tablesOf(tx),
      unfinishedTasks: await since(1, () => count(tx, 'tasks where finished_at is null')),
      queuedPostings: await since(3, () => count(tx, `tasks where posting = 'queued'`)),
      pendingNotifications: await since(1, () =>
        count(tx, 'notifications where settled_at is null'),
      ),
      indexers: await since(4, () =>
        tx.query<IndexerStatus>(
          `select chain_id as "chainId", next_block as "nextBlock", updated_at as "updatedAt"
           from explorer_cursors order by chain_id`,
        ),
      ),
    }
  })

async function count(queries: Queries, from: string): Promise<number> {
  const [row] = await queries.query<{ n: number }>(`select count(*) as n from ${from}`)
  return row?.n ?? 0
}

async function tablesOf(queries: Queries): Promise<TableStatus[]> {
  const found = await queries.query<{ name: string; quoted: string; bytes: number; guess: number }>(
    `select relname as name, quote_ident(relname) as quoted, pg_total_relation_size(oid) as bytes,
       reltuples::float8 as guess
     from pg_class where relnamespace = quote_ident(current_schema())::regnamespace
       and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  const tables: TableStatus[] = []
  for (const { name, quoted, bytes, guess } of found) {
    const estimated = guess > countedRows
    const rows = estimated ? Math.round(guess) : await count(queries, quoted)
    tables.push({ name, rows, estimated, bytes })
  }
  return tables
}
