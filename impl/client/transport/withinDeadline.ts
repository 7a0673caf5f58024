import { AbortError } from '../errors/abortError.ts'
import { RequestTimeoutError } from '../errors/transportErrors.ts'
import type { Deadline } from './deadline.ts'

type Bounds = {
  readonly deadline: Deadline
  /** For the error. */
  readonly timeoutMs: number
  readonly metaMessages: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * What a call waits for before it sends something, such as the key, bounded by its deadline.
 *
 * @throws RequestTimeoutError, AbortError
 */
export async function withinDeadline<T>(start: () => Promise<T>, bounds: Bounds): Promise<T> {
  const { deadline, timeoutMs, metaMessages, signal } = bounds
  let abort = () => {}
  const ended = new Promise<never>((_, reject) => {
    abort = () => {
      const details = 'the key was not there in time, and nothing was sent'
      reject(
        signal?.aborted
          ? new AbortError(signal)
          : new RequestTimeoutError(timeoutMs, { metaMessages, details }),
      )
    }
  })
  deadline.signal.addEventListener('abort', abort, { once: true })
  if (deadline.signal.aborted) abort()
  try {
    return await Promise.race([ended, start()])
  } finally {
    deadline.signal.removeEventListener('abort', abort)
  }
}
