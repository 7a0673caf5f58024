import type { Database } from './database.ts'

/**
 * Exclusive rights with an expiry. Times are the database's. One that would last longer than a lease can
 * was taken before that clock went back: it has expired, so that the rights of a process that died
 * then are free at once.
 */
export const leaseQueries = (database: Database) => ({
  /** Takes a free or expired lease, or renews the holder's. False when another process holds it. */
  async take(name: string, holder: string, milliseconds: number): Promise<boolean> {
    const rows = await database.query(
      `insert into leases as held (name, holder, until)
       values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
       on conflict (name) do update set holder = excluded.holder, until = excluded.until
       where held.holder = excluded.holder or held.until <= clock_timestamp()
         or held.until > clock_timestamp() + 2 * $3 * interval '1 millisecond'
       returning name`,
      [name, holder, milliseconds],
    )
    return rows.length === 1
  },

  /** Releases a lease; does nothing when another process holds it. */
  async release(name: string, holder: string): Promise<void> {
    await database.query('delete from leases where name = $1 and holder = $2', [name, holder])
  },
})

export type LeaseQueries = ReturnType<typeof leaseQueries>
