import type { Database, Row } from './database.ts'

/** The one method of a `pg` pool that the limiter's library calls. */
type PoolOf<T> = {
  query(statement: {
    readonly text: string
    readonly values: readonly unknown[]
  }): Promise<{ readonly rows: T[]; readonly rowCount: number }>
}

/**
 * Counters of rate limits in the shared database, as the library `rate-limiter-flexible` keeps them:
 * it writes the statements, the table `rate_limits` is ours.
 */
export const rateLimitCounters = (database: Database) => {
  const pool: PoolOf<Row> = {
    async query({ text, values }) {
      // A window of a fraction of a millisecond is no integer, which the column is.
      const whole = values.map((value) => (typeof value === 'number' ? Math.round(value) : value))
      const rows = await database.query(text, whole)
      return { rows, rowCount: rows.length }
    },
  }
  return {
    pool,
    tableName: 'rate_limits',
    /** Forgets windows that ended before `time`, unix milliseconds. */
    async clear(time: number): Promise<void> {
      await database.query('delete from rate_limits where expire < $1', [Math.round(time)])
    },
  }
}

export type RateLimitCounters = ReturnType<typeof rateLimitCounters>
