import fc, { type Arbitrary, type Parameters } from 'fast-check'
import { it } from 'vitest'

type Arbitraries =
  | [Arbitrary<unknown>, ...Arbitrary<unknown>[]]
  | Record<string, Arbitrary<unknown>>

type Values<Given> = {
  [Key in keyof Given]: Given[Key] extends Arbitrary<infer Value> ? Value : never
}

/** The arguments of a check: the values of a list, or one object with those of a record. */
type Drawn<Given> = Values<Given> extends infer List extends unknown[] ? List : [Values<Given>]

/**
 * Defines a test of a property; it fails where the check throws or returns false.
 *
 * @fast-check/vitest does the same, but builds every chain of modifiers (`test.skip.only…`) on import:
 * seconds of CPU time, and 240 MB that each garbage collection of the process visits.
 *
 * @example property([fc.nat(), fc.nat()])('addition commutes', (a, b) => a + b === b + a)
 */
export const property =
  <Given extends Arbitraries>(given: Given, parameters: Pick<Parameters, 'numRuns'> = {}) =>
  (title: string, check: (...drawn: Drawn<Given>) => unknown, timeout?: number): void => {
    const drawn: Arbitrary<unknown> = Array.isArray(given)
      ? fc.tuple(...given)
      : fc.tuple(fc.record(given as Record<string, Arbitrary<unknown>>))
    const values = drawn as Arbitrary<Drawn<Given>>
    const holds = async (each: Drawn<Given>) => (await check(...each)) !== false
    it(title, () => fc.assert(fc.asyncProperty(values, holds), parameters), timeout)
  }
