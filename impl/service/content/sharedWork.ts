import { setMaxListeners } from 'node:events'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'

/** Lets those who want the same at the same time wait for one piece of work. */
export type SharedWork<Value> = (
  key: string,
  signal: AbortSignal,
  /** Given a signal that aborts when nobody waits any more. */
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>

/**
 * A caller whose signal aborts is let go at once with the signal's reason; the work goes on as long as
 * anybody else waits for it. Nothing is kept once it has ended.
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
      const own = { value, waiting: 0, stop: () => controller.abort() }
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
        // Whoever comes now begins anew: this work is about to be given up, or done.
        if (running.get(key) === shared) running.delete(key)
        shared.stop()
      }
    }
  }
}
