import { wellFormed } from '../values/wellFormed.ts'

/** The number of code points, which is the length of a string in Rego. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    const low = text.charCodeAt(i)
    if (low >= 0xdc00 && low < 0xe000) {
      const high = text.charCodeAt(i - 1)
      if (high >= 0xd800 && high < 0xdc00) count--
    }
  }
  return count
}

const SURROGATE = /[\ud800-\udfff]/
const ASCII = /^[\0-\x7f]*$/

/** Whether each unit is a code point, so that units can be counted instead. */
export const isFlat = (text: string): boolean => !SURROGATE.test(text)

/** The substring between two code point offsets. */
export const slicePoints = (text: string, from: number, to: number): string =>
  isFlat(text) ? text.slice(from, to) : [...text].slice(from, to).join('')

/** Upper case by code point, if it has a single one: `ß` is unchanged. */
export const upper = (text: string): string =>
  ASCII.test(text) ? text.toUpperCase() : Array.from(wellFormed(text), upperOne).join('')

function upperOne(char: string): string {
  const full = char.toUpperCase()
  if (full.length === char.length && codePoints(full) === 1) return full
  // The single-code-point forms of Greek letters with iota are at another offset.
  const code = char.codePointAt(0) as number
  for (const step of [8, 9]) {
    const candidate = String.fromCodePoint(code + step)
    if (code >= 0x1f80 && code < 0x2000 && candidate.toLowerCase() === char) return candidate
  }
  return codePoints(full) === 1 ? full : char
}

/** Lower case by code point; the final sigma has no special form. */
export const lower = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : Array.from(wellFormed(text), (char) => (char === '\u0130' ? 'i' : char.toLowerCase())).join(
        '',
      )
