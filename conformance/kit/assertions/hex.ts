import { expectThat, show } from '../../core/expect.ts'

/** Compares ids and addresses case-insensitively: the specification leaves the case open. */
export const sameHex = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

/** A text in lower case; another value as it is, so that a failure shows it. */
export const lowered = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() : value

/** Expects the same id or address; a value that is absent or not a text is shown as it is. */
export const expectHex = (observed: unknown, expected: unknown, what: string): void =>
  expectThat(
    sameHex(observed, expected),
    what,
    typeof expected === 'string' ? expected : `a hex text, compared with ${show(expected)}`,
    observed,
  )
