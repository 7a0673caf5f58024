import { printable } from '../../core/printable.ts'

/** Text that stands in an element and nowhere else: the many quotes of JSON stay as they are. */
export const elementText = (text: string): string =>
  text
    .split('\n')
    .map(printable)
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** Text that stands in an element or in a quoted attribute; what a target sent is never markup. */
export const escaped = (text: string): string =>
  elementText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** The name of an element to which a link of the page leads. */
export const anchorOf = (id: string): string => `check-${id.replace(/[^\w.-]/g, '_')}`
