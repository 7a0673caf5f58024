/** The number of code points: what a string's length is in Rego. */
export const codePoints = (text: string): number => {
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

/** True when each unit is a code point, so that units can be counted instead. */
export const isFlat = (text: string): boolean => !SURROGATE.test(text)

/** The part from one code point up to another. */
export const slicePoints = (text: string, from: number, to: number): string =>
  isFlat(text) ? text.slice(from, to) : [...text].slice(from, to).join('')

/** Upper case by code point, where one code point has one: `ß` stays. */
export const upper = (text: string): string =>
  ASCII.test(text) ? text.toUpperCase() : Array.from(text, upperOne).join('')

const upperOne = (char: string): string => {
  const full = char.toUpperCase()
  if (full.length === char.length && codePoints(full) === 1) return full
  // Greek letters with iota below have a form of one code point a little further on
  const code = char.codePointAt(0) as number
  for (const step of [8, 9]) {
    const candidate = String.fromCodePoint(code + step)
    if (code >= 0x1f80 && code < 0x2000 && candidate.toLowerCase() === char) return candidate
  }
  return codePoints(full) === 1 ? full : char
}

/** Lower case by code point; the final sigma is a sigma like others. */
export const lower = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : Array.from(text, (char) => (char === '\u0130' ? 'i' : char.toLowerCase())).join('')
