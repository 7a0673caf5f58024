import { throwIfAborted } from '../errors/abortError.ts'
import { backoffMs } from './backoff.ts'
import type { Deadline } from './deadline.ts'
import { sleep } from './sleep.ts'

export type RetryOptions = {
  readonly retries: number
  readonly deadline: Deadline
  readonly signal?: AbortSignal | undefined
  /** Whether the same request may be sent again after this error. */
  readonly mayRepeat: (error: unknown) => boolean
}

/**
 * Repeats an attempt while it may be repeated and time is left. Waits as long as the server asks
 * for, and at least the backoff; a wait beyond the deadline throws the error at once.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, deadline, signal, mayRepeat } = options
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (retry >= retries || signal?.aborted || !mayRepeat(error)) throw error
      const asked = (error as { retryAfterMs?: number | undefined }).retryAfterMs ?? 0
      // Spread a little, because all clients of one limit are told the same time.
      const wait = Math.max(backoffMs(retry), asked * (1 + Math.random() / 10))
      if (wait >= deadline.remainingMs()) throw error
      await sleep(wait, deadline.signal)
      throwIfAborted(signal)
    }
  }
}
