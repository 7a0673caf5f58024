import type { Clock } from 'polgate-protocol/clock.ts'

type Log = {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** How often a continuing outage is logged, milliseconds. */
const everyMs = 10_000

export type OutageLog = {
  /** A request failed because the store is unavailable. */
  failed(err: unknown): void
  /** A request was served. */
  served(): void
}

/**
 * Logs that the store is unavailable: at the first failed request, then at most every ten seconds
 * with the number of requests that failed, and once when it is available again. A line for each
 * request would fill the log for as long as the outage lasts.
 */
export function createOutageLog(log: Log, clock: Clock, store = 'the store'): OutageLog {
  let since: number | undefined
  let loggedAt = 0
  let failures = 0
  return {
    failed(err) {
      const now = clock()
      since ??= now
      failures += 1
      if (failures > 1 && now - loggedAt < everyMs) return
      loggedAt = now
      const hint = (err as { hint?: unknown } | undefined)?.hint
      log.error({ err, hint, failures, ms: now - since }, `${store} is unavailable`)
    },
    served() {
      if (since === undefined) return
      log.warn({ failures, ms: clock() - since }, `${store} is available again`)
      since = undefined
      failures = 0
    },
  }
}
