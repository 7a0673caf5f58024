import type { Target } from '../core/target.ts'
import { expectReachable } from './capabilities.ts'

export type ReachableOptions = {
  readonly fetch: typeof fetch
  /** How long to go on trying; 0 tries once. */
  readonly ms: number
  readonly signal: AbortSignal
}

const pauseMs = 200

/** Waits until something at the target's address speaks HTTP. Throws `CannotRun` where nothing does. */
export const untilReachable = async (
  target: Target,
  { fetch, ms, signal }: ReachableOptions,
): Promise<void> => {
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
