import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimitCounters } from '../store/rateLimitCounters.ts'

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

/** Configurations contain a few limits; beyond this many, counters restart. */
const maxLimits = 1_000
/** Longest delay of a timer, milliseconds. */
const maxWindowMs = 2 ** 31 - 1
const errorIntervalMs = 60_000
const clearEveryMs = 300_000

/**
 * Counts calls in windows of `burst / perSecond` seconds with `burst` calls each: a name gets
 * `perSecond` calls a second on average, and at most `burst` in one window, which starts with its
 * first call. A name over its limit is rejected from memory until the window ends, so that a flood
 * does not reach the database. Time comes from the library.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const { counters } = options
  const limiters = new Map<string, RateLimiterMemory | RateLimiterPostgres>()
  let reportedAt = Number.NEGATIVE_INFINITY

  const limiterOf = ({ perSecond, burst }: RateLimit) => {
    const points = Math.floor(burst)
    const windowMs = windowMsOf({ perSecond, burst })
    // The limit is part of the name, so that a changed limit does not use old counters.
    const keyPrefix = `${points}/${windowMs}`
    const known = limiters.get(keyPrefix)
    if (known !== undefined) return known
    if (limiters.size >= maxLimits) limiters.clear()
    const limiter = create({ points, duration: windowMs / 1000, keyPrefix })
    limiters.set(keyPrefix, limiter)
    return limiter
  }

  const create = (window: { points: number; duration: number; keyPrefix: string }) => {
    const inMemory = new RateLimiterMemory(window)
    if (counters === undefined) return inMemory
    return new RateLimiterPostgres({
      ...window,
      storeClient: {
        query: (statement: Statement) => counters.pool.query(statement).catch(reportError),
      },
      storeType: 'pool',
      tableName: counters.tableName,
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: window.points + 1,
      // If the database is unavailable, calls are still limited, by this process.
      insuranceLimiter: inMemory,
    })
  }

  const reportError = (error: unknown): never => {
    if (performance.now() - reportedAt > errorIntervalMs) {
      reportedAt = performance.now()
      options.onStoreError?.(error)
    }
    throw error
  }

  /** Undefined if the call is allowed. */
  async function consume(name: string, limit: RateLimit): Promise<RateLimiterRes | undefined> {
    try {
      await limiterOf(limit).consume(name)
      return undefined
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    }
  }

  const clearing =
    counters === undefined
      ? undefined
      : setInterval(() => {
          counters.clear(Date.now()).catch(() => {})
        }, clearEveryMs).unref()

  return {
    async take(name, limit) {
      const refused = await consume(name, limit)
      if (refused === undefined || refused.msBeforeNext <= windowMsOf(limit)) return waitOf(refused)
      // Its window ends later than a window can: the clock went back.
      await limiterOf(limit)
        .delete(name)
        .catch(() => {})
      return waitOf(await consume(name, limit))
    },
    close: () => clearInterval(clearing),
  }
}

const windowMsOf = ({ perSecond, burst }: RateLimit): number =>
  Math.min(Math.ceil((burst / perSecond) * 1000), maxWindowMs)

/** Whole seconds. */
const waitOf = (refused: RateLimiterRes | undefined): number =>
  refused === undefined ? 0 : Math.max(1, Math.ceil(refused.msBeforeNext / 1000))

type Statement = Parameters<RateLimitCounters['pool']['query']>[0]
