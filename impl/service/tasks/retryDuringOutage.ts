import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../store/storeError.ts'

const firstPauseMs = 100
const lastPauseMs = 1_000

/**
 * Runs `work` again while the store is unavailable, so that a short outage does not lose the end of
 * a task. `work` must be idempotent: if the connection breaks, it may have succeeded.
 *
 * @param mayRetry false after the deadline, or when the service closes
 * @throws the last error of `work`
 */
export async function retryDuringOutage<T>(
  work: () => Promise<T>,
  mayRetry: () => boolean,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
    try {
      return await work()
    } catch (error) {
      const unavailable = error instanceof StoreError && error.code === 'unavailable'
      if (!unavailable || !mayRetry()) throw error
      await pause(pauseMs)
      if (!mayRetry()) throw error
    }
  }
}
