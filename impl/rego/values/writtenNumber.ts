import { type Num, parseNumber } from './number.ts'

/**
 * An integer written with a fraction or an exponent: `100.0`, `1e6`. It is equal to the integer and
 * behaves like it everywhere, except that Go, and so `sprintf`, formats the two differently. Only
 * literals, documents and texts that are parsed create one; the results of arithmetic are plain.
 */
export class WrittenNumber {
  readonly kind = 'written'
  readonly value: Num
  /** As it was written, with its sign. */
  readonly text: string

  constructor(value: Num, text: string) {
    this.value = value
    this.text = text
    exist = true
  }
}

/** Whether this process has created one: otherwise values need not be searched for them. */
let exist = false

export const writtenNumbersExist = (): boolean => exist

const WRITTEN = /[.eE]/

/**
 * Parses a number and keeps how an integer was written.
 *
 * @returns undefined if the text is not a JSON number
 * @throws LimitError as `parseNumber`
 */
export function parseWritten(text: string): Num | WrittenNumber | undefined {
  const value = parseNumber(text)
  return value === undefined ? undefined : asWritten(value, text)
}

/** A number with its text, if that tells more than the number. */
export function asWritten(value: Num, text: string): Num | WrittenNumber {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger && WRITTEN.test(text) ? new WrittenNumber(value, text) : value
}

/** The number itself, without the form in which it was written; other values are unchanged. */
export function bare<T>(value: T | WrittenNumber): T | Num {
  return exist && value instanceof WrittenNumber ? value.value : (value as T)
}
