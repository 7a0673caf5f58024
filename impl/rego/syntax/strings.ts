import { ESCAPES } from '../values/parseJson.ts'

const HEX = /^[0-9a-fA-F]{4}$/

/**
 * The JSON escape that starts at the backslash at `at`.
 *
 * @returns its text and the offset after it, or undefined if invalid
 */
export function readEscape(
  source: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const letter = source[at + 1] ?? ''
  const simple = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined
  if (simple !== undefined) return { text: simple, end: at + 2 }
  if (letter !== 'u') return undefined
  const hex = source.slice(at + 2, at + 6)
  if (!HEX.test(hex)) return undefined
  const unit = Number.parseInt(hex, 16)
  if (unit < 0xd800 || unit > 0xdfff) return { text: String.fromCharCode(unit), end: at + 6 }
  // A high surrogate must be followed by a low one; alone it becomes the replacement character.
  const low = source.slice(at + 6, at + 8) === '\\u' ? source.slice(at + 8, at + 12) : ''
  const second = HEX.test(low) ? Number.parseInt(low, 16) : 0
  if (unit < 0xdc00 && second >= 0xdc00 && second <= 0xdfff) {
    return { text: String.fromCharCode(unit, second), end: at + 12 }
  }
  return { text: '\ufffd', end: at + 6 }
}
