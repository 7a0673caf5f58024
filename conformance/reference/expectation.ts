import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Facts } from '../core/expectation.ts'

/** By the id of a check, or a pattern of ids with `*`; then by the point that it observes. */
export type Expectations = Readonly<Record<string, Readonly<Record<string, Expectation>>>>

/** What a failure shows as expected: a value, or one made of the facts. */
type Shown =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | ((facts: Facts, value: unknown) => unknown)

const unmet = (shown: Shown, facts: Facts, value: unknown) => ({
  expected: typeof shown === 'function' ? shown(facts, value) : shown,
})

/** The value has that property. */
export const satisfies =
  <T = unknown>(shown: Shown, holds: (value: T, facts: Facts) => boolean): Expectation =>
  (value, facts) =>
    holds(value as T, facts) ? undefined : unmet(shown, facts, value)

/** The value is that one. */
export const equals =
  (expected: unknown, shown?: Shown): Expectation =>
  (value, facts) =>
    isDeepStrictEqual(value, expected)
      ? undefined
      : shown === undefined
        ? { expected }
        : unmet(shown, facts, value)

/** The value is another one. */
export const differs = (other: unknown, shown: Shown): Expectation =>
  satisfies(shown, (value) => !isDeepStrictEqual(value, other))

/** The value is that of a fact. */
export const equalsFact = (name: string): Expectation =>
  satisfies(fromFact(name), (value, facts) => isDeepStrictEqual(value, facts[name]))

/** A fact about the value is true. */
export const fact = (name: string, shown: Shown): Expectation =>
  satisfies(shown, (_, facts) => facts[name] === true)

/** Shows a fact as expected. */
export const fromFact =
  (name: string) =>
  (facts: Facts): unknown =>
    facts[name]

/** Nothing is to be observed there. */
export const never = (shown: Shown): Expectation => satisfies(shown, () => false)

/** Observed, and not decided. */
export const undecided: Expectation = () => undefined

/** The check goes on with what another gateway need not offer. */
export const required: Expectation = () => undefined
