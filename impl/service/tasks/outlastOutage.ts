import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../store/storeError.ts'

const firstPauseMs = 100
const lastPauseMs = 1_000

/**
 * Runs `work` again as long as the store is unavailable, so that a short outage does not cost a task
 * its end. Only for work that may run twice: its outcome may be unknown when the connection breaks.
 *
 * @param mayRetry false once it is too late, or the service closes
 * @throws the last error of `work`
 */
export async function outlastOutage<T>(
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
