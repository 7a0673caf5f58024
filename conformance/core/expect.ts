import { isDeepStrictEqual } from 'node:util'
import { ConformanceError } from './conformanceError.ts'

/** Longer values are truncated in a report. */
const longestShown = 400

/** A value as a report shows it: JSON, truncated. */
export function show(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : (JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v)) ?? String(value))
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text
}

/** The general form: `what` is a noun phrase, such as `the id of the response`. */
export function expectThat(
  holds: boolean,
  what: string,
  expected: unknown,
  observed: unknown,
): asserts holds {
  if (!holds)
    throw new ConformanceError(`${what} is wrong`, {
      expected: show(expected),
      observed: show(observed),
    })
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
  expectThat(isObject(value), what, 'an object', value === undefined ? 'absent' : value)
}
