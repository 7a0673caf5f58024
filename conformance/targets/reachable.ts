import type { Target } from '../core/target.ts'
import { expectReachable } from './capabilities.ts'

export type ReachableOptions = {
  readonly fetch: typeof fetch
  /** How long to retry; 0 tries once. */
  readonly ms: number
  readonly signal: AbortSignal
}

const pauseMs = 200

/** Waits until the target's address answers over HTTP. Throws `CannotRun` if it does not. */
export async function untilReachable(
  target: Target,
  { fetch, ms, signal }: ReachableOptions,
): Promise<void> {
  const deadline = performance.now() + ms
  for (;;) {
    try {
      return await expectReachable(target, fetch)
    } catch (error) {
      if (signal.aborted || performance.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
