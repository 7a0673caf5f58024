import { setMaxListeners } from 'node:events'

export type LinkedSignal = {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Lets go of the parents; to be called when the work has ended. */
  release(): void
}

/**
 * A signal that aborts with the first of its parents, or of itself. `AbortSignal.any` would do, were
 * it not that on Node 20 a parent that lives as long as the process keeps every signal made of it.
 */
export function linkedSignal(...parents: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  // Many pieces of work follow one signal, and let go of it: no leak to be warned of.
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
