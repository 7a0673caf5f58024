import { isDeepStrictEqual } from 'node:util'
import { ConformanceError } from './conformanceError.ts'
import { readable, readablePair } from './shorten.ts'
import { shown } from './shown.ts'

/** Longer texts are truncated where a report lists what it observed. */
const longestShown = 400

/** Longer values are truncated even in the JSON report. */
const longestValue = 10_000

/**
 * A value as part of a sentence: truncated, and text without quotes, so that it must not be compared.
 */
export const show = (value: unknown): string => readable(textOf(value), longestShown)

/** The same for what is judged: a report shortens it as far as its readers need. */
export const showLong = (value: unknown): string => readable(textOf(value), longestValue)

const textOf = (value: unknown) => (typeof value === 'string' ? value : shown(value))

/** Expected and observed as texts, which differ if the values do. */
export function shownPair(
  expected: unknown,
  observed: unknown,
): { readonly expected: string; readonly observed: string } {
  const exact = [shown(expected), shown(observed)] as const
  const [first, second] = exact.some(({ length }) => length > longestValue)
    ? readablePair(...exact, longestValue)
    : exact
  if (first !== second || isDeepStrictEqual(expected, observed))
    return { expected: first, observed: second }
  // A text that says what is expected, and a value that prints like it.
  if (typeof expected === 'string' && typeof observed !== 'string')
    return { expected: JSON.stringify(expected), observed: second }
  return { expected: first, observed: `${second} (another value that is shown in the same way)` }
}

const prepositions =
  /\s(?:of|in|that|after|at|for|with|to|on|from|by|before|between|about|other than)\s/

/** Whether the noun of a phrase is in the plural: `the members of a task`, not `the HTTP status`. */
function isPlural(phrase: string): boolean {
  const noun = phrase.split(prepositions)[0]!
  return /(?:^|\s)[a-z]+[^siu]s$/.test(noun) || /^\S+ and \S+$/.test(noun)
}

/** The general form: `finding` says in a sentence what is wrong. */
export function expectFinding(
  holds: boolean,
  finding: string,
  expected: unknown,
  observed: unknown,
): asserts holds {
  if (!holds) throw new ConformanceError(finding, shownPair(expected, observed))
}

/** The same where all that can be said is what is wrong: a noun phrase, such as `the id of the response`. */
export function expectThat(
  holds: boolean,
  what: string,
  expected: unknown,
  observed: unknown,
): asserts holds {
  const isWrong = isPlural(what) ? 'are wrong' : 'is wrong'
  expectFinding(holds, `${what} ${isWrong}`, expected, observed)
}

export const expectEqual = (observed: unknown, expected: unknown, what: string): void =>
  expectThat(isDeepStrictEqual(observed, expected), what, expected, observed)

export const expectMatch = (observed: unknown, pattern: RegExp, what: string): void =>
  expectThat(
    typeof observed === 'string' && pattern.test(observed),
    what,
    `a string matching ${pattern}`,
    observed,
  )

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function expectObject(value: unknown, what: string): asserts value is JsonObject {
  expectThat(isObject(value), what, 'an object', value)
}
