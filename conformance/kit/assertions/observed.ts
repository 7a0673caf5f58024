import { ConformanceError, NotInTime } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { show, shownPair } from '../../core/expect.ts'
import type { Facts } from '../../core/expectation.ts'
import { saysTimeout } from '../../core/saysTimeout.ts'

/**
 * Reports what the target does where the specification is silent. It fails no gateway but the
 * reference implementation, which `conformance/reference` holds to its decision on the point.
 *
 * @param what a noun phrase
 * @param facts what the value can be compared with
 */
export function observed(
  t: CheckContext,
  point: string,
  what: string,
  value: unknown,
  facts: Facts = {},
): void {
  t.observe(`${what}: ${show(value)}`)
  expectDecided(t, point, what, value, facts)
}

/** The same for what is not worth a line in the report. */
export function expectDecided(
  t: CheckContext,
  point: string,
  what: string,
  value: unknown,
  facts: Facts = {},
): void {
  const unmet = t.expectation(point)?.(value, facts)
  if (unmet === undefined) return
  const busy = saysTimeout(show(value)) ? t.overloaded() : undefined
  // What the specification requires is judged on such a machine too; the decision is not.
  if (busy !== undefined) {
    t.observe(`${what} is not compared with the decision, since ${busy}: ${show(value)}`)
    return
  }
  throw new ConformanceError(`${what} differs from the decision`, shownPair(unmet.expected, value))
}

/**
 * The same for a time: one that differs on an overloaded machine proves nothing.
 *
 * @throws NotInTime
 */
export function expectDecidedTime(...args: Parameters<typeof expectDecided>): void {
  try {
    expectDecided(...args)
  } catch (error) {
    if (error instanceof ConformanceError) throw new NotInTime(error.message, error)
    throw error
  }
}

/**
 * Whether the target has to do what a check needs on a point where the specification is silent. Where
 * it has not, a check reports what the target does instead.
 */
export const isRequired = (t: CheckContext, point: string): boolean =>
  t.expectation(point) !== undefined
