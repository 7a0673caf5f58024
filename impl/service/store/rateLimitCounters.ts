import type { Database, Row } from './database.ts'

/** The one method of a `pg` pool that the rate limiter library calls. */
type PoolOf<T> = {
  query(statement: {
    readonly text: string
    readonly values: readonly unknown[]
  }): Promise<{ readonly rows: T[]; readonly rowCount: number }>
}

/**
 * Rate limit counters in the shared database, stored by the library `rate-limiter-flexible`: it
 * writes the statements, the table `rate_limits` is created by a migration.
 */
export function rateLimitCounters(database: Database) {
  const pool: PoolOf<Row> = {
    async query({ text, values }) {
      // The column is an integer; a window may have a fraction of a millisecond.
      const whole = values.map((value) => (typeof value === 'number' ? Math.round(value) : value))
      const rows = await database.query(text, whole)
      return { rows, rowCount: rows.length }
    },
  }
  return {
    pool,
    tableName: 'rate_limits',
    /** Deletes windows that ended before `time`, unix milliseconds. */
    async clear(time: number): Promise<void> {
      await database.query('delete from rate_limits where expire < $1', [Math.round(time)])
    },
  }
}

export type RateLimitCounters = ReturnType<typeof rateLimitCounters>
