import { ConformanceError, NotInTime, TooLate } from './conformanceError.ts'
import { expectThat } from './expect.ts'
import { type LoopWatch, loopWatch } from './loopWatch.ts'

/**
 * The time between two events, in `performance.now()` times as noted when they were handled. Where the
 * first one is a request of the suite itself, it is sent some time after `from`.
 */
export type Span = { readonly from: number; readonly to: number; readonly sent?: boolean }

export type SpanBounds = {
  /** Milliseconds. */
  readonly least?: number
  readonly most?: number
  /** Whether each span must reach a bound, or one of them; default each. */
  readonly of?: 'each' | 'one'
}

export type SpanTexts = {
  readonly what: string
  readonly expected: string
  readonly observed: string
}

type Lengths = { readonly shortest: number; readonly longest: number }

/** The shortest and the longest that a span may have been: the suite may have noticed each end late. */
function possible({ from, to, sent }: Span, loop: LoopWatch): Lengths {
  const length = to - from
  return sent
    ? { shortest: length - loop.stalled(from, to), longest: length }
    : { shortest: length - loop.lateBy(to), longest: length + loop.lateBy(from) }
}

/** Whether some lengths that the spans may have had are within the bounds. */
function mayFit(all: readonly Lengths[], bounds: SpanBounds): boolean {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, of = 'each' } = bounds
  const some = (fits: (span: Lengths) => boolean) =>
    of === 'each' ? all.every(fits) : all.some(fits)
  return some(({ longest }) => longest >= least) && some(({ shortest }) => shortest <= most)
}

/**
 * Expects the times between events within bounds. The suite notes an event when its event loop handles
 * it, which may be late on a busy machine: a fault that this lateness may explain proves nothing.
 *
 * @throws ConformanceError outside the bounds, NotInTime beyond `most`
 * @throws TooLate where they would be within the bounds if the suite had been on time
 */
export function expectSpans(
  spans: readonly Span[],
  bounds: SpanBounds,
  { what, expected, observed }: SpanTexts,
  loop: LoopWatch = loopWatch(),
): void {
  const measured = spans.map(({ from, to }) => ({ shortest: to - from, longest: to - from }))
  if (mayFit(measured, bounds)) return
  const all = spans.map((span) => possible(span, loop))
  if (mayFit(all, bounds)) {
    const late = Math.max(...all.map(({ shortest, longest }) => longest - shortest))
    throw new TooLate(
      `${what} cannot be judged: the suite itself was up to ${Math.round(late)} ms late; measured ${observed}, expected ${expected}`,
    )
  }
  try {
    expectThat(false, what, expected, observed)
  } catch (error) {
    // What came too late may have been delayed by the machine; what came too early was not.
    const { most: _, ...early } = bounds
    if (error instanceof ConformanceError && mayFit(measured, early))
      throw new NotInTime(error.message, error)
    throw error
  }
}
