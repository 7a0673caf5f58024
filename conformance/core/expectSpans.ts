import { Untestable } from './conformanceError.ts'
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

type Answer = 'yes' | 'no' | 'unclear'

/** The shortest and the longest that a span may have been: the suite may have noticed each end late. */
function possible({ from, to, sent }: Span, loop: LoopWatch) {
  const length = to - from
  return sent
    ? { shortest: length - loop.stalled(from, to), longest: length }
    : { shortest: length - loop.lateBy(to), longest: length + loop.lateBy(from) }
}

function answerOf(spans: readonly Span[], bounds: SpanBounds, loop: LoopWatch): Answer {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, of = 'each' } = bounds
  const all = spans.map((span) => possible(span, loop))
  const combined = (answers: readonly Answer[]): Answer => {
    const [deciding, other] = of === 'each' ? (['no', 'yes'] as const) : (['yes', 'no'] as const)
    if (answers.includes(deciding)) return deciding
    return answers.includes('unclear') ? 'unclear' : other
  }
  const reached = combined(
    all.map(({ shortest, longest }) =>
      shortest >= least ? 'yes' : longest < least ? 'no' : 'unclear',
    ),
  )
  const kept = combined(
    all.map(({ shortest, longest }) =>
      longest <= most ? 'yes' : shortest > most ? 'no' : 'unclear',
    ),
  )
  if (reached === 'no' || kept === 'no') return 'no'
  return reached === 'unclear' || kept === 'unclear' ? 'unclear' : 'yes'
}

/**
 * Expects the times between events within bounds. The suite notes an event when its event loop handles
 * it, which may be late on a busy machine: a result that this lateness could reverse is none.
 *
 * @throws ConformanceError outside the bounds
 * @throws Untestable where the suite itself was too late to tell
 */
export function expectSpans(
  spans: readonly Span[],
  bounds: SpanBounds,
  { what, expected, observed }: SpanTexts,
  loop: LoopWatch = loopWatch(),
): void {
  const answer = answerOf(spans, bounds, loop)
  if (answer === 'unclear') {
    const late = Math.max(
      ...spans.map((span) => {
        const { shortest, longest } = possible(span, loop)
        return longest - shortest
      }),
    )
    throw new Untestable(
      `${what} cannot be judged: the suite itself was up to ${Math.round(late)} ms late; measured ${observed}, expected ${expected}`,
    )
  }
  expectThat(answer === 'yes', what, expected, observed)
}
