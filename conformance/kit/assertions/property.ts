import fc from 'fast-check'
import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { show } from '../../core/expect.ts'
import { findingOf } from '../../core/failureText.ts'

export type PropertyOptions = {
  /** At effort 1. */
  readonly runs: number
  /** Shrinking is bounded by time: each step is a request to the target. */
  readonly shrinkMs?: number
}

/** A property whose cases take long ends after this time, with ten cases at least. */
const longestMs = 60_000
const fewestRuns = 10

/** Longer counterexamples are truncated. */
const longestExample = 2000

/**
 * Runs a property with values derived from the run's seed, the check and the name. A failure
 * contains the smallest counterexample found, and the seed and path that lead to it.
 */
export async function checkProperty<T>(
  context: CheckContext,
  name: string,
  arbitrary: fc.Arbitrary<T>,
  options: PropertyOptions,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const deadline = { at: Number.POSITIVE_INFINITY }
  const numRuns = context.runs(options.runs)
  const begun = performance.now()
  let ran = 0
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const now = performance.now()
    if (now > deadline.at) return
    const failed = deadline.at < Number.POSITIVE_INFINITY
    if (!failed && ran >= fewestRuns && now - begun > longestMs) return
    ran += 1
    context.cases.begins()
    try {
      await holds(value)
    } catch (error) {
      context.cases.failed()
      if (deadline.at === Number.POSITIVE_INFINITY)
        deadline.at = performance.now() + (options.shrinkMs ?? 10_000)
      throw error
    }
  })
  const details = await fc.check(property, {
    seed: context.seed(name),
    numRuns,
  })
  if (!details.failed) {
    if (ran < numRuns) context.observe(`${name}: ${ran} of ${numRuns} cases, for lack of time`)
    return
  }
  const cause = details.errorInstance
  if (cause instanceof Untestable) throw cause
  const { reason, expected, observed } = findingOf(cause)
  throw new ConformanceError(reason, {
    expected,
    observed,
    counterexample: `${show(details.counterexample?.[0]).slice(0, longestExample)} (after ${details.numRuns} runs, path ${details.counterexamplePath})`,
    cause,
  })
}
