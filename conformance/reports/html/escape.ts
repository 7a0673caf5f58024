import { isAscii } from 'node:buffer'
import { printableLines } from '../../core/printable.ts'

/** Escapes element content only: the many quotes of JSON stay as they are. */
export const elementText = (text: string): string =>
  printableLines(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A part of a page: text, or its UTF-8. */
export type Html = string | Uint8Array

/** What `elementText` replaces in ASCII that JSON can contain; of `##[` the first character. */
const special = [...'&<>#\x7f\t\r'].map((letter) => letter.charCodeAt(0))

/** Escapes JSON, given as text or as UTF-8: bytes that need no escape stay bytes. */
export function elementContent(json: string | Buffer): Html {
  if (typeof json === 'string') return elementText(json)
  const isPlain = isAscii(json) && special.every((byte) => json.indexOf(byte) === -1)
  return isPlain ? json : elementText(json.toString())
}

/** Whatever may be replaced: most texts of a page have nothing of it, and one search is enough for them. */
const needsEscape = /[^\n !$%(-;=?-~]/

/** Escapes text for an element or a quoted attribute; target data is never markup. */
export const escaped = (text: string): string =>
  needsEscape.test(text)
    ? elementText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    : text

/** The id of an element that the page links to. */
export const anchorOf = (id: string): string => `check-${id.replace(/[^\w.-]/g, '_')}`
