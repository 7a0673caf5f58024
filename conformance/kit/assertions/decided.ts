import { isDeepStrictEqual } from 'node:util'
import { ConformanceError } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { show } from '../../core/expect.ts'

/**
 * Where the specification is silent: what the target does is recorded, and the reference
 * implementation alone is held to what it decided. `what` is a noun phrase.
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
    throw new ConformanceError(`${what} is not as decided`, {
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
