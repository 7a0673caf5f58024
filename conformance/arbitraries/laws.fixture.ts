import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'

/** The properties of an arbitrary's values. */
export type Laws<T> = {
  readonly arbitrary: fc.Arbitrary<T>
  /** Whether a value is in the domain; shrinking must stay in it. */
  readonly valid: (value: T) => boolean
  /** Kinds of values that must all occur within so many samples. */
  readonly edges: Readonly<Record<string, (value: T) => boolean>>
  readonly samples?: number
  /** What a report shows, and how it is parsed again; JSON by default. */
  readonly print?: (value: T) => string
  readonly read?: (text: string) => T
}

const seed = 7

/** Generated values, before anything can modify them. */
const sampled = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number, by = seed): readonly T[] =>
  fc.sample(arbitrary, { seed: by, numRuns })

/** Why a law is violated, or undefined. */
export type Law = <T>(laws: Laws<T>) => string | undefined

const sameSeed: Law = ({ arbitrary }) =>
  isDeepStrictEqual(sampled(arbitrary, 30), sampled(arbitrary, 30))
    ? undefined
    : 'the same seed gives other values'

const otherSeed: Law = ({ arbitrary }) =>
  isDeepStrictEqual(sampled(arbitrary, 30), sampled(arbitrary, 30, seed + 1))
    ? 'another seed gives the same values'
    : undefined

const inDomain: Law = ({ arbitrary, valid, samples = 500 }) => {
  const wrong = sampled(arbitrary, samples).find((value) => !valid(value))
  return wrong === undefined ? undefined : `no value of the domain: ${fc.stringify(wrong)}`
}

const everyEdge: Law = ({ arbitrary, edges, samples = 500 }) => {
  const values = sampled(arbitrary, samples)
  const missing = Object.entries(edges).flatMap(([name, is]) => (values.some(is) ? [] : [name]))
  return missing.length === 0 ? undefined : `none within ${samples}: ${missing.join(', ')}`
}

/** Far more steps than shrinking an example of a failure takes. */
const longestShrink = 5_000

/** From each of some failures: shrinking ends, and never leaves the domain. */
const shrinks: Law = ({ arbitrary, valid }) => {
  for (const by of [seed, 11, 23]) {
    let steps = 0
    let outside: string | undefined
    const property = fc.property(arbitrary, (value) => {
      if (!valid(value)) outside ??= fc.stringify(value)
      if (++steps > longestShrink) throw new Error('it never ends')
      return false
    })
    fc.check(property, { seed: by, numRuns: 1 })
    if (outside !== undefined) return `shrinking leaves the domain: ${outside}`
    if (steps > longestShrink) return 'shrinking does not end'
  }
  return undefined
}

const prints: Law = ({ arbitrary, print = JSON.stringify, read = JSON.parse }) => {
  for (const value of sampled(arbitrary, 100)) {
    const text = print(value)
    if (text !== print(read(text))) return `does not survive being printed: ${text}`
  }
  return undefined
}

/** All laws, by name. */
export const everyLaw: Readonly<Record<string, Law>> = {
  'the same seed gives the same values': sameSeed,
  'another seed gives other values': otherSeed,
  'values are of their domain': inDomain,
  'every kind of value occurs': everyEdge,
  'shrinking ends, and stays in the domain': shrinks,
  'printed values can be parsed': prints,
}
