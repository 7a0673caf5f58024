import { LimitError } from '../errors.ts'
import { visited, written } from './limits.ts'
import { isArray, isComposite, MAX_DEPTH, type Value } from './value.ts'
import { WrittenNumber } from './writtenNumber.ts'

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

const SPECIAL = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0')

/** The escape of a non-printable character. */
export function escapeChar(char: string): string {
  const short = SHORT[char]
  if (short !== undefined) return short
  const code = char.codePointAt(0) as number
  // A byte that is not UTF-8, see builtins/bytes.ts.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

/** Characters escaped between two checks of the deadline. */
const PART = 4_096

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** A quoted string in Go syntax. Its text is charged to the running evaluation. */
export function goQuote(text: string): string {
  let quoted = '"'
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PART, text.length)
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++
    const part = text.slice(at, end).replace(SPECIAL, escapeChar)
    written(part.length)
    quoted += part
    at = end
  }
  return `${quoted}"`
}

/**
 * A value as a Rego term: `{"a": [1, 2]}`, `{1, 2}`, `set()`. Used by `sprintf` and `print` for
 * composite values; strings are quoted.
 */
export function display(value: Value, depth = 0): string {
  if (typeof value === 'string') return goQuote(value)
  if (!isComposite(value)) {
    const text = value instanceof WrittenNumber ? value.text : String(value)
    written(text.length)
    return text
  }
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  visited(0)
  if (isArray(value)) return `[${value.map((item) => display(item, depth + 1)).join(', ')}]`
  if (value.kind === 'set') {
    if (value.size === 0) return 'set()'
    return `{${value
      .values()
      .map((item) => display(item, depth + 1))
      .join(', ')}}`
  }
  const members = value
    .entries()
    .map(([key, item]) => `${display(key, depth + 1)}: ${display(item, depth + 1)}`)
  return `{${members.join(', ')}}`
}
