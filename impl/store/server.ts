import pg from 'pg'
import type { Database, Row, Transaction } from './database.ts'
import { StoreError } from './storeError.ts'

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const queriesOf = (connection: pg.Pool | pg.PoolClient): Transaction => ({
  async query<T extends Row>(sql: string, params: readonly unknown[] = []) {
    return (await connection.query<T>(sql, [...params])).rows
  },
  async execute(script) {
    await connection.query(script)
  },
})

/**
 * A PostgreSQL server by its connection string. A lost connection fails the query that used it and
 * no other: the pool opens a new one.
 *
 * @throws StoreError `unavailable` when the server cannot be reached
 */
export const openServer = async (url: string): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: 'svc',
  })
  // An idle connection that breaks emits here; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (cause) {
    await pool.end()
    // The driver's message may repeat the connection string; only its code is shown.
    const code = (cause as { code?: string }).code ?? 'no answer'
    throw new StoreError(`The PostgreSQL server cannot be reached (${code})`, {
      reason: 'unavailable',
      hint: 'Check the connection string and that the server accepts connections.',
    })
  }
  return {
    engine: 'server',
    ...queriesOf(pool),
    async transaction(work) {
      const client = await pool.connect()
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
        throw error
      }
    },
    close: () => pool.end(),
  }
}
