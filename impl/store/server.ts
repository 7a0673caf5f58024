import pg from 'pg'
import {
  type Database,
  type QueryOptions,
  type Row,
  StatementError,
  type Transaction,
} from './database.ts'
import { openServerChannel } from './serverChannel.ts'
import { checkScheme, notOpened } from './serverUrl.ts'
import { StoreError } from './storeError.ts'

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Errors of the connection, not of the statement: the server is gone, going, or out of reach. */
const isConnectionError = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return /^(08|57P|E[A-Z]{3})/.test(code)
  return /^Connection terminated|timeout exceeded when trying to connect/.test(String(message))
}

const unavailable = (error: unknown) =>
  // The driver's message may repeat the connection string; only its code is shown.
  new StoreError(
    `The PostgreSQL server cannot be reached (${(error as { code?: string }).code ?? 'no answer'})`,
    {
      reason: 'unavailable',
      hint: 'Check the connection string and that the server accepts connections.',
    },
  )

const named = (error: unknown): unknown => {
  if (isConnectionError(error)) return unavailable(error)
  return error instanceof pg.DatabaseError ? new StatementError(error) : error
}

const names = new Map<string, string>()

/** A connection keeps the plan of a statement that has a name. */
const nameOf = (sql: string): string => {
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
      throw named(error)
    }
  },
  async execute(script) {
    await connection.query(script)
  },
})

/**
 * A PostgreSQL server by its connection string. A lost connection fails the query that used it and
 * no other: the pool opens a new one.
 *
 * @throws StoreError `unavailable` when the server cannot be reached or refuses, `invalid`
 */
export const openServer = async (url: string): Promise<Database> => {
  checkScheme(url)
  const connection = {
    connectionString: url,
    types,
    connectionTimeoutMillis: 10_000,
    application_name: 'svc',
  }
  const pool = new pg.Pool({ ...connection, max: 10 })
  // An idle connection that breaks emits here; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (cause) {
    await pool.end()
    throw notOpened(url, cause)
  }
  const queries = queriesOf(pool)
  return {
    engine: 'server',
    ...queries,
    openChannel: (name, listener) =>
      openServerChannel(
        () => new pg.Client({ ...connection, keepAlive: true }),
        queries,
        name,
        listener,
      ),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw named(error)
      })
      try {
        await client.query('begin')
        const value = await work(queriesOf(client))
        await client.query('commit')
        client.release()
        return value
      } catch (error) {
        // A connection that cannot roll back is not given to the next caller.
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
        throw named(error)
      }
    },
    close: () => pool.end(),
  }
}
