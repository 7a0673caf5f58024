import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * JSON with integers of any size, such as amounts in wei: `bigint` is written as a number, and
 * integers that a double cannot represent are parsed as `bigint`.
 */

/** JSON text that is inserted into a document unchanged. The caller ensures that it is valid. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Makes a plain `JSON.stringify` fail: only `stringifyExact` can write it. */
  toJSON(): never {
    throw new TypeError('RawJson can only be written by stringifyExact')
  }
}

function write(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof RawJson) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** Like `JSON.stringify`, with `bigint` as exact numbers and `RawJson` unchanged. */
export function stringifyExact(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof TypeError) return write(value) ?? 'null'
    throw error
  }
}

export class JsonError extends AppError {}

/** Member that marks a number in the intermediate text; random, so that no input can contain it. */
const mark = `integer:${crypto.randomUUID()}`

/**
 * An integer beyond 2^53 becomes a `bigint`; all other numbers are doubles. The placeholder is an
 * object, so that it is accepted exactly where a number is.
 */
function numberText(token: string): string {
  if (!Number.isFinite(Number(token))) throw new JsonError('number out of range')
  return /^-?[1-9][0-9]{15,}$/.test(token) && !Number.isSafeInteger(Number(token))
    ? `{"${mark}":"${token}"}`
    : token
}

function restore(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(restore)
  const digits = (value as Record<string, unknown>)[mark]
  if (typeof digits === 'string') return BigInt(digits)
  // Defines entries instead of assigning them, so that `__proto__` is a plain member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member)]))
}

/**
 * Scans the text once: limits the depth before any recursion, and finds numbers that a double
 * cannot represent. The parser reports all other errors.
 */
function prepare(text: string, maxDepth: number): { text: string; exact: boolean } {
  let depth = 0
  let copied = 0
  let out = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
        if (text.charCodeAt(at) === 0x5c) at++
    } else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) throw new JsonError(`nested deeper than ${maxDepth} levels`)
    } else if (char === 0x7d || char === 0x5d) {
      depth--
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at
      while (/[0-9.eE+-]/.test(text[at + 1] ?? '')) at++
      if (at - start < 3) continue
      const token = text.slice(start, at + 1)
      const kept = numberText(token)
      if (kept === token) continue
      out += text.slice(copied, start) + kept
      copied = at + 1
    }
  }
  return copied === 0 ? { text, exact: false } : { text: out + text.slice(copied), exact: true }
}

/**
 * Like `JSON.parse`, with integers beyond 2^53 as `bigint`, limited depth, and an error for numbers
 * out of the range of a double.
 *
 * @throws JsonError or SyntaxError
 */
export function parseExact(text: string, maxDepth = 128): unknown {
  const prepared = prepare(text, maxDepth)
  const value: unknown = JSON.parse(prepared.text)
  return prepared.exact ? restore(value) : value
}
