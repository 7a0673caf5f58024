import { setMaxListeners } from 'node:events'
import { abortReason } from 'polgate-lib/async/abortReason.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'

/** Shares one run of work among concurrent callers with the same key. */
export type SharedWork<Value> = (
  key: string,
  signal: AbortSignal,
  /** Receives a signal that aborts when no caller is waiting any more. */
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>

/**
 * A caller whose signal aborts is rejected immediately with the signal's reason; the work continues
 * while any other caller waits. Results are not cached.
 */
export function createSharedWork<Value>(): SharedWork<Value> {
  const running = new Map<string, { value: Promise<Value>; waiting: number; stop(): void }>()

  return async (key, signal, work) => {
    signal.throwIfAborted()
    // Many pieces of work follow one signal, and let go of it: no leak to be warned of.
    setMaxListeners(Number.POSITIVE_INFINITY, signal)
    let shared = running.get(key)
    if (shared === undefined) {
      const controller = new AbortController()
      const value = work(controller.signal)
      const own = { value, waiting: 0, stop: () => controller.abort(abortReason) }
      const forget = () => {
        if (running.get(key) === own) running.delete(key)
      }
      value.then(forget, forget)
      running.set(key, own)
      shared = own
    }
    const { value } = shared
    shared.waiting += 1
    try {
      return await unlessAborted(signal, value)
    } finally {
      shared.waiting -= 1
      if (shared.waiting === 0) {
        // A later caller starts new work: this one is being aborted, or done.
        if (running.get(key) === shared) running.delete(key)
        shared.stop()
      }
    }
  }
}
