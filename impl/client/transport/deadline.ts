/** The time and the caller's signal that bound a call. */
export type Deadline = {
  /** Aborts when either ends. */
  readonly signal: AbortSignal
  remainingMs(): number
  /** Whether the time has passed, rather than that the caller aborted. */
  isOver(): boolean
  /** Removes timer and listener. */
  release(): void
}

/** Not `AbortSignal.any`: it keeps listeners of long-lived signals in memory. */
export function createDeadline(timeoutMs: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController()
  const end = performance.now() + timeoutMs
  let over = false
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    over = true
    controller.abort()
  }, timeoutMs)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, end - performance.now()),
    isOver: () => over,
    release() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
