import pg from 'pg'
import {
  type Database,
  type QueryOptions,
  type Row,
  rolledBack,
  type Transaction,
} from './database.ts'
import { openServerChannel } from './serverChannel.ts'
import { isConflict, isConnectionError, storeErrorOf } from './serverErrors.ts'
import { checkScheme, notOpened } from './serverUrl.ts'

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const names = new Map<string, string>()

/** A connection caches the plan of a named statement. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `svc_${names.size}`
  names.set(sql, name)
  return name
}

const queriesOf = (connection: pg.Pool | pg.PoolClient): Transaction => ({
  async query<T extends Row>(sql: string, params: readonly unknown[] = [], options?: QueryOptions) {
    const name = options?.planOnce ? { name: nameOf(sql) } : {}
    try {
      return (await connection.query<T>({ text: sql, values: [...params], ...name })).rows
    } catch (error) {
      throw storeErrorOf(error)
    }
  },
  async execute(script) {
    try {
      await connection.query(script)
    } catch (error) {
      throw storeErrorOf(error)
    }
  },
})

/** How many times a transaction is run at most when it conflicts with others. */
const conflictTries = 3

/**
 * Runs `work` in a transaction on a connection of the pool. When the connection breaks, the caller
 * gets an error, even at the commit, where the outcome is unknown: nothing is reported as stored
 * that may not be.
 *
 * @throws StoreError `unavailable`; StatementError; errors of `work`
 */
async function runTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw storeErrorOf(error)
  })
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken ??= error
  }
  client.on('error', onError)
  const release = (error?: Error) => {
    client.off('error', onError)
    // With an error the pool closes the connection instead of reusing it.
    client.release(error)
  }
  try {
    await client.query('begin')
    const value = await work(queriesOf(client))
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw rolledBack()
    release(broken)
    return value
  } catch (error) {
    if (broken !== undefined || isConnectionError(error)) {
      release(broken ?? (error as Error))
      throw storeErrorOf(broken ?? error)
    }
    await client.query('rollback').then(
      () => release(broken),
      (failed: Error) => release(failed),
    )
    throw storeErrorOf(error)
  }
}

/** Settings with which a server may lose a commit that it has acknowledged. */
async function weakSettings(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'
     order by name`,
  )
  return rows.map(({ name }) => `${name} is off`)
}

/**
 * Opens a PostgreSQL server. A lost connection fails only the queries and the transaction that used
 * it; the pool opens a new one.
 *
 * @throws StoreError `unavailable` when the server is unreachable or rejects the login, `invalid`
 */
export async function openServer(url: string): Promise<Database> {
  checkScheme(url)
  const connection = {
    connectionString: url,
    types,
    connectionTimeoutMillis: 10_000,
    application_name: 'svc',
    keepAlive: true,
  }
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    // Every statement is short, but one whose rows the planner overestimates would be compiled, or get
    // parallel workers, each time it runs: 19 and 3 ms for a page of ten tasks among a million. A named
    // one would be planned each time where its plan for given values looks cheaper: 0.5 ms of that page's 0.65.
    onConnect: async (client) => {
      await client.query(
        'set jit = off; set max_parallel_workers_per_gather = 0; set plan_cache_mode = force_generic_plan',
      )
    },
  })
  // A connection that breaks emits `error`, which without a listener ends the process. The pool
  // listens to idle connections and forwards here. From checkout to release, including the time
  // before the borrower gets the connection, only a listener on the connection itself is active.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let problems: string[]
  try {
    problems = await weakSettings(pool)
  } catch (cause) {
    await pool.end()
    throw notOpened(url, cause)
  }
  const queries = queriesOf(pool)
  let ended: Promise<void> | undefined
  return {
    engine: 'server',
    durability: { mode: problems.length === 0 ? 'durable' : 'relaxed', problems },
    ...queries,
    openChannel: (name, listener) =>
      openServerChannel(() => new pg.Client(connection), queries, name, listener),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await runTransaction(pool, work)
        } catch (error) {
          // The server has rolled back the whole transaction, so running it again is safe.
          if (tries === conflictTries || !isConflict(error)) throw error
        }
      }
    },
    close() {
      ended ??= pool.end()
      return ended
    },
  }
}
