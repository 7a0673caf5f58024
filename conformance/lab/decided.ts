import { isDeepStrictEqual } from 'node:util'
import { ConformanceError } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'
import { show } from '../runner/expect.ts'

/**
 * For open points: records what the target does, and requires the decided behaviour only of the
 * reference implementation. `what` is a noun phrase.
 */
export const decided = (
  t: CheckContext,
  holds: boolean,
  what: string,
  expected: unknown,
  observed: unknown,
): void => {
  t.observe(`${what}: ${show(observed)}`)
  if (t.target.reference && !holds)
    throw new ConformanceError(`${what} differs from the decision`, {
      expected: show(expected),
      observed: show(observed),
    })
}

/** The same for one value. */
export const decidedEqual = (
  t: CheckContext,
  observed: unknown,
  expected: unknown,
  what: string,
): void => decided(t, isDeepStrictEqual(observed, expected), what, expected, observed)
