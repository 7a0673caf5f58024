import type { Database } from './database.ts'

/** A bucket that refills by one call per interval. All times in whole microseconds. */
export type Bucket = {
  readonly now: number
  readonly interval: number
  /** The time in which an empty bucket is full. */
  readonly capacity: number
}

/** When the bucket is full again, with the call if it was allowed. */
export type Taken = { readonly allowed: boolean; readonly fullAt: number }

/**
 * Rate limits in the shared database, a row for each name: `expire` is the unix time, microseconds, at which its
 * bucket is full again (the generic cell rate algorithm).
 */
export function rateLimitCounters(database: Database) {
  return {
    /** Takes a call out of the bucket of a name unless it is empty, in one statement. */
    async take(name: string, { now, interval, capacity }: Bucket): Promise<Taken> {
      const [row] = await database.query(takeCall, [name, now, interval, capacity])
      // Without a row another call has just made it, and emptied the bucket.
      return { allowed: row?.allowed === true, fullAt: Number(row?.expire ?? now + capacity) }
    },
    /** Deletes buckets that were full before `time`, unix microseconds. */
    async clear(time: number): Promise<void> {
      await database.query('delete from rate_limits where expire < $1', [Math.round(time)])
    },
  }
}

export type RateLimitCounters = ReturnType<typeof rateLimitCounters>

/** A bucket that would be full later than an empty one can be is of a clock that went back: it is full. */
const level = `greatest(case when held.expire > $2::int8 + $4::int8 then 0 else held.expire end, $2::int8)`

const takeCall = `
  with taken as (
    insert into rate_limits as held (key, points, expire) values ($1, 0, $2::int8 + $3::int8)
    on conflict (key) do update set expire = ${level} + $3::int8
      where ${level} + $3::int8 <= $2::int8 + $4::int8
    returning expire
  )
  select expire::float8 as expire, true as allowed from taken
  union all
  select expire::float8, false from rate_limits where key = $1 and not exists (select from taken)`
