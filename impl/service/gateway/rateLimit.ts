import type { Bucket, RateLimitCounters, Taken } from '../store/rateLimitCounters.ts'

export type RateLimit = { readonly perSecond: number; readonly burst: number }

/** Decisions, section 9; methods without a limit share the counter of the key. */
export type RateLimits = {
  readonly perKey: RateLimit
  readonly perMethod?: Readonly<Record<string, RateLimit>> | undefined
}

export const defaultRateLimits: RateLimits = {
  perKey: { perSecond: 50, burst: 100 },
  perMethod: { simulatePolicyData: { perSecond: 10, burst: 20 } },
}

export type RateLimiterOptions = {
  /** Shared by the gateways on one database; without it counters are in memory. */
  readonly counters?: RateLimitCounters | undefined
  /** Called, at most once a minute, if the shared counters fail and memory is used instead. */
  readonly onStoreError?: ((error: unknown) => void) | undefined
}

export type RateLimiter = {
  /**
   * Returns 0 if the call is allowed, otherwise the number of seconds to wait. Never rejects.
   *
   * @param name the subject of the limit, such as the id of a key
   */
  take(name: string, limit: RateLimit): Promise<number>
  close(): void
}

/** Full buckets are forgotten when there are so many. */
const maxBuckets = 10_000
const errorIntervalMs = 60_000
const clearEveryMs = 300_000

/**
 * A bucket for each name: `burst` calls at once, which refill at `perSecond`, so that after a burst the next call is
 * allowed as soon as one has refilled. A name over its limit is rejected from memory until then, so that a
 * flood does not reach the database.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const { counters } = options
  const inMemory = createBuckets()
  /** By name: when a call is allowed again, unix microseconds. */
  const refusedUntil = new Map<string, number>()
  let reportedAt = Number.NEGATIVE_INFINITY

  const reportError = (error: unknown) => {
    if (performance.now() - reportedAt <= errorIntervalMs) return
    reportedAt = performance.now()
    options.onStoreError?.(error)
  }

  async function takeFrom(name: string, bucket: Bucket): Promise<Taken> {
    if (counters === undefined) return inMemory(name, bucket)
    try {
      return await counters.take(name, bucket)
    } catch (error) {
      reportError(error)
      // Without the database calls are still limited, by this process.
      return inMemory(name, bucket)
    }
  }

  const clearing =
    counters === undefined
      ? undefined
      : setInterval(() => {
          counters.clear(Date.now() * 1_000).catch(() => {})
        }, clearEveryMs).unref()

  return {
    async take(name, limit) {
      const bucket = bucketOf(limit)
      // The limit is part of the name, so that a changed limit starts with a full bucket.
      const key = `${bucket.capacity}/${bucket.interval}:${name}`
      const { now, interval, capacity } = bucket
      const until = refusedUntil.get(key)
      // Longer than a refill: the clock went back.
      if (until !== undefined && until > now && until <= now + interval) return waitOf(until - now)
      refusedUntil.delete(key)
      const { allowed, fullAt } = await takeFrom(key, bucket)
      if (allowed) return 0
      const next = fullAt + interval - capacity
      if (refusedUntil.size >= maxBuckets) refusedUntil.clear()
      refusedUntil.set(key, next)
      return waitOf(next - now)
    },
    close: () => clearInterval(clearing),
  }
}

/** The same as in the database. */
function createBuckets() {
  const fullAt = new Map<string, number>()
  return (name: string, { now, interval, capacity }: Bucket): Taken => {
    const held = fullAt.get(name) ?? now
    // A bucket that is full later than an empty one can be is of a clock that went back.
    const level = held > now + capacity ? now : Math.max(held, now)
    if (level + interval > now + capacity) return { allowed: false, fullAt: held }
    if (fullAt.size >= maxBuckets)
      for (const [other, time] of fullAt) if (time <= now) fullAt.delete(other)
    fullAt.set(name, level + interval)
    return { allowed: true, fullAt: level + interval }
  }
}

/** In whole microseconds; at most a century for a bucket, so that the sums are exact. */
function bucketOf({ perSecond, burst }: RateLimit): Bucket {
  const calls = Math.max(1, Math.floor(burst))
  const most = Math.floor(3e15 / calls)
  const interval = Math.min(Math.max(1, Math.round(1e6 / perSecond)), most)
  return { now: Math.round(Date.now() * 1_000), interval, capacity: calls * interval }
}

/** Whole seconds. */
const waitOf = (microseconds: number): number => Math.max(1, Math.ceil(microseconds / 1e6))
