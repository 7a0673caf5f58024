import { defaultRateLimits, type RateLimits } from '../gateway/rateLimit.ts'

/** Rate limits that can be changed while the gateway runs. */
export type AdjustableLimits = {
  /** What the gateway is to read on every request, in place of what it was given. */
  readonly over: (given: RateLimits) => RateLimits
  readonly current: () => RateLimits
  /** Members that are not named are as the gateway was given them. */
  readonly set: (change: Partial<RateLimits>) => void
}

export function adjustableLimits(): AdjustableLimits {
  let start = defaultRateLimits
  let now = start
  const live: RateLimits = {
    get perKey() {
      return now.perKey
    },
    get perMethod() {
      return now.perMethod
    },
  }
  return {
    over: (given) => {
      start = given
      now = given
      return live
    },
    current: () => now,
    set: (change) => {
      now = { ...start, ...change }
    },
  }
}
