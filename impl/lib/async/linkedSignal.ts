import { setMaxListeners } from 'node:events'
import { abortReason } from './abortReason.ts'

export type LinkedSignal = {
  readonly signal: AbortSignal
  /** Default reason: `abortReason`. */
  abort(reason?: unknown): void
  /** Aborts once the time is over, unless it was released before. */
  abortAfter(ms: number, reason?: () => unknown): void
  /** Lets go of the parents and the timer; to be called when the work has ended. */
  release(): void
}

/**
 * A signal that aborts with the first of its parents, or by itself. Unlike with `AbortSignal.any`
 * on Node 20, a long-lived parent does not retain every derived signal.
 */
export function linkedSignal(...parents: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  // Many pieces of work follow one signal, and let go of it: no leak to be warned of. Not 0, with which
  // Node 20 takes the signal for no event target when undici asks for the limit.
  setMaxListeners(Number.POSITIVE_INFINITY, controller.signal, ...parents)
  const links = parents.map((parent) => ({
    parent,
    follow: () => controller.abort(parent.reason),
  }))
  for (const { parent, follow } of links) {
    if (parent.aborted) follow()
    else parent.addEventListener('abort', follow, { once: true })
  }
  return {
    signal: controller.signal,
    abort: (reason = abortReason) => controller.abort(reason),
    abortAfter(ms, reason) {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(reason?.() ?? abortReason), ms)
    },
    release() {
      clearTimeout(timer)
      for (const { parent, follow } of links) parent.removeEventListener('abort', follow)
    },
  }
}
