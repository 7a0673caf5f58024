import { defaultExplorerRateLimit } from 'polgate-service/explorer/rest/ports.ts'
import {
  defaultRateLimits,
  type RateLimit,
  type RateLimits,
} from 'polgate-service/gateway/rateLimit.ts'

/** Of the gateway and the explorer. */
export type StackLimits = RateLimits & { readonly explorer: RateLimit }

/** Rate limits that can be changed while the service runs. */
export type AdjustableLimits = {
  /** Limits that the gateway reads on every request, instead of its configured ones. */
  readonly over: (given: RateLimits) => RateLimits
  /** The same for the explorer. */
  readonly overExplorer: (given: RateLimit) => RateLimit
  readonly current: () => StackLimits
  /** Members that are not given return to their initial values. */
  readonly set: (change: Partial<StackLimits>) => void
}

export function adjustableLimits(): AdjustableLimits {
  let start: StackLimits = { ...defaultRateLimits, explorer: defaultExplorerRateLimit }
  let now = start
  const live: RateLimits = {
    get perKey() {
      return now.perKey
    },
    get perMethod() {
      return now.perMethod
    },
  }
  const liveExplorer: RateLimit = {
    get perSecond() {
      return now.explorer.perSecond
    },
    get burst() {
      return now.explorer.burst
    },
  }
  const begin = (given: Partial<StackLimits>) => {
    start = { ...start, ...given }
    now = start
  }
  return {
    over: (given) => {
      begin({ perMethod: undefined, ...given })
      return live
    },
    overExplorer: (given) => {
      begin({ explorer: given })
      return liveExplorer
    },
    current: () => now,
    set: (change) => {
      now = { ...start, ...change }
    },
  }
}
