const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Quotes, backslashes, and everything that is neither a visible character nor a space. */
const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** A string literal: visible characters as they are, the rest as escapes that Rego reads back. */
export const quote = (text: string): string =>
  `"${text.replace(ESCAPED, (char) => SHORT[char] ?? unicodeEscape(char))}"`

const unicodeEscape = (char: string): string =>
  Array.from({ length: char.length }, (_, i) => char.charCodeAt(i).toString(16).padStart(4, '0'))
    .map((hex) => `\\u${hex}`)
    .join('')
