import { printableLines } from '../../core/printable.ts'

/** Escapes element content only: the many quotes of JSON stay as they are. */
export const elementText = (text: string): string =>
  printableLines(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes text for an element or a quoted attribute; target data is never markup. */
export const escaped = (text: string): string =>
  elementText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** The id of an element that the page links to. */
export const anchorOf = (id: string): string => `check-${id.replace(/[^\w.-]/g, '_')}`
