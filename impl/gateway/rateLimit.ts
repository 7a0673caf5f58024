import type { Clock } from '../protocol/clock.ts'

export type RateLimit = { readonly perSecond: number; readonly burst: number }

/** Decisions, section 9; methods not named share the bucket of the key. */
export type RateLimits = {
  readonly perKey: RateLimit
  readonly perMethod?: Readonly<Record<string, RateLimit>> | undefined
}

export const defaultRateLimits: RateLimits = {
  perKey: { perSecond: 50, burst: 100 },
  perMethod: { simulatePolicyData: { perSecond: 10, burst: 20 } },
}

type Bucket = { tokens: number; at: number }

/** Past so many buckets those an hour old are dropped: they are full again. */
const maxBuckets = 10_000

/**
 * Token buckets, one a name. `take` gives 0 when the call may go on, otherwise the whole seconds
 * after which it may; a refused call costs nothing.
 */
export const createRateLimiter = (clock: Clock) => {
  const buckets = new Map<string, Bucket>()

  const refill = (name: string, limit: RateLimit): Bucket => {
    const now = clock()
    const known = buckets.get(name) ?? { tokens: limit.burst, at: now }
    const gained = (Math.max(0, now - known.at) / 1000) * limit.perSecond
    return { tokens: Math.min(limit.burst, known.tokens + gained), at: now }
  }

  const prune = () => {
    if (buckets.size <= maxBuckets) return
    const idle = clock() - 3_600_000
    for (const [name, bucket] of buckets) if (bucket.at < idle) buckets.delete(name)
  }

  return {
    take(name: string, limit: RateLimit): number {
      const bucket = refill(name, limit)
      buckets.set(name, bucket)
      prune()
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond))
      bucket.tokens -= 1
      return 0
    },
  }
}

export type RateLimiter = ReturnType<typeof createRateLimiter>
