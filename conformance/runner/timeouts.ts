import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import type { LoopWatch } from '../core/loopWatch.ts'
import { saysTimeout } from '../core/saysTimeout.ts'
import { chainOf } from '../core/unanswered.ts'

/** The check took longer than its limit. */
export class CheckTimeout extends ConformanceError {}

/** A gateway that gives up earlier than this was not slow, milliseconds. */
export const slowMs = 5_000

const isOnThisMachine = (url: string) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/**
 * Whether a check failed because something took too long: a request, the check, or what it waited for;
 * or, where the gateway runs on this machine, because the gateway gave up after a long time.
 *
 * @param ms how long the check took
 */
export function isTimeout(
  thrown: unknown,
  { ms, gatewayUrl }: { readonly ms: number; readonly gatewayUrl: string },
): boolean {
  const gaveUp = ms >= slowMs && isOnThisMachine(gatewayUrl)
  return chainOf(thrown).some(
    (each) =>
      each instanceof CheckTimeout ||
      each instanceof NotInTime ||
      (each instanceof Error && each.name === 'TimeoutError') ||
      (gaveUp &&
        each instanceof ConformanceError &&
        saysTimeout(`${each.message} ${each.observed}`)),
  )
}

/** Shorter stalls are those of the suite's own cryptography. */
const stallMs = 100
/** The part of a check during which its thread handled no event. */
const longStall = 0.2

/**
 * Why something that did not come in time may have come: the suite itself was late. Times as of
 * `performance.now()`; undefined if it was not.
 */
export function ownLateness(loop: LoopWatch, from: number, to: number): string | undefined {
  const late = loop.lateBy(to)
  const stalled = loop.stalled(from, to, stallMs)
  return late >= stallMs || stalled >= longStall * (to - from)
    ? `the suite itself handled no event for ${Math.round(Math.max(late, stalled))} ms`
    : undefined
}
