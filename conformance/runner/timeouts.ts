import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import { chainOf } from '../core/unanswered.ts'

/** The check took longer than its limit. */
export class CheckTimeout extends ConformanceError {}

/** A gateway that gives up earlier than this was not slow. */
const slowMs = 10_000

const isOnThisMachine = (url: string) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** A gateway says that something took too long: `Task timeout`, `timed out after 30 s`. */
const saysTimeout = (error: unknown) =>
  error instanceof ConformanceError && /\btimed out\b|\btimeout\b/i.test(error.observed)

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
      (gaveUp && saysTimeout(each)),
  )
}
