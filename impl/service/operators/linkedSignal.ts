import { setMaxListeners } from 'node:events'

export type LinkedSignal = {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Detaches from the parents; call it when the work has ended. */
  release(): void
}

/**
 * A signal that aborts with the first of its parents, or by itself. Unlike with `AbortSignal.any`
 * on Node 20, a long-lived parent does not retain every derived signal.
 */
export function linkedSignal(...parents: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  // Many signals may be attached to one parent at a time, and detach: not a leak.
  setMaxListeners(0, controller.signal, ...parents)
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
    abort: (reason) => controller.abort(reason),
    release() {
      for (const { parent, follow } of links) parent.removeEventListener('abort', follow)
    },
  }
}
