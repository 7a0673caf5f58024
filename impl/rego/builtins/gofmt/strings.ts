import { toHex } from '#platform'
import { goQuote } from '../../values/display.ts'
import { bytesIn } from '../bytes.ts'
import { pad, type Spec } from './pad.ts'

/** A text with a verb; undefined if the verb is not for strings. */
export function formatString(text: string, verb: string, spec: Spec): string | undefined {
  switch (verb) {
    case 'v':
      if (spec.sharpV) return quoted(text, spec)
      return pad(truncate(text, spec.precision), spec)
    case 's':
      return pad(truncate(text, spec.precision), spec)
    case 'q':
      return quoted(text, spec)
    case 'x':
    case 'X':
      return pad(hexOf(text, verb, spec), spec)
    default:
      return undefined
  }
}

const truncate = (text: string, precision: number | undefined): string =>
  precision === undefined || text.length <= precision
    ? text
    : [...text].slice(0, precision).join('')

/** Characters that cannot be written between backquotes. */
const NOT_RAW = /[`\ufeff]|(?!\t)\p{Cc}|[\ud800-\udfff]/u

function quoted(text: string, spec: Spec): string {
  const kept = truncate(text, spec.precision)
  if (spec.sharp && !NOT_RAW.test(kept)) return pad(`\`${kept}\``, spec)
  return pad(spec.plus ? quoteAscii(kept) : goQuote(kept), spec)
}

/** A quoted string with all characters beyond ASCII escaped. */
export const quoteAscii = (text: string): string =>
  goQuote(text).replace(/[\u0080-\u{10ffff}]/gu, (char) => {
    const code = char.codePointAt(0) as number
    const hex = code.toString(16)
    return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
  })

function hexOf(text: string, verb: string, spec: Spec): string {
  const all = bytesIn(text)
  const bytes = spec.precision === undefined ? all : all.subarray(0, spec.precision)
  const hex = toHex(bytes)
  if (hex === '') return ''
  const mark = spec.sharp ? '0x' : ''
  const parts = spec.space ? (hex.match(/../g) ?? []) : [hex]
  const marked = parts.map((part) => mark + part).join(' ')
  return verb === 'X' ? marked.toUpperCase() : marked
}
