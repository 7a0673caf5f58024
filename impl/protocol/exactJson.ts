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
const mark = `number:${crypto.randomUUID()}`

/** The grammar of JSON: a marked number would otherwise be accepted where the token is not. */
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * A number that `JSON.stringify` would write in another way is marked, as is an integer that a double may
 * not represent. The placeholder is an object, so that it is accepted exactly where a number is.
 */
function numberText(token: string): string {
  const value = Number(token)
  const same = String(value) === token && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return same || !number.test(token) ? token : `{"${mark}":"${token}"}`
}

/** An integer beyond 2^53 becomes a `bigint`; all other numbers are doubles. */
function numberOf(token: string): number | bigint {
  const value = Number(token)
  if (!Number.isFinite(value)) throw new JsonError('number out of range')
  return /^-?[0-9]+$/.test(token) && !Number.isSafeInteger(value) ? BigInt(token) : value
}

/**
 * The token of a number in a part of `parseParts` that is not written the same again, such as `1.0`,
 * `-0` or `1e400`; undefined for everything else.
 */
export const numberToken = (part: unknown): string | undefined =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, mark)
    ? (part as Record<string, string>)[mark]
    : undefined

function restore(value: unknown, maxDepth: number, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  const token = numberToken(value)
  if (token !== undefined) return numberOf(token)
  if (depth === maxDepth) throw new JsonError(`nested deeper than ${maxDepth} levels`)
  const inside = (item: unknown) => restore(item, maxDepth, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  // Defines entries instead of assigning them, so that `__proto__` is a plain member.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inside(item)]))
}

/**
 * Scans the text once: finds its depth, and numbers to be marked. The parser reports all errors of
 * syntax.
 */
function prepare(text: string): { text: string; depth: number; marked: boolean } {
  let depth = 0
  let deepest = 0
  let copied = 0
  let out = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
        if (text.charCodeAt(at) === 0x5c) at++
    } else if (char === 0x7b || char === 0x5b) {
      if (++depth > deepest) deepest = depth
    } else if (char === 0x7d || char === 0x5d) {
      depth--
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const start = at
      while (/[0-9.eE+-]/.test(text[at + 1] ?? '')) at++
      if (at === start) continue
      const token = text.slice(start, at + 1)
      const kept = numberText(token)
      if (kept === token) continue
      out += text.slice(copied, start) + kept
      copied = at + 1
    }
  }
  return { text: out + text.slice(copied), depth: deepest, marked: copied > 0 }
}

/** JSON of several parts, one of which may be unusable without affecting the others. */
export type JsonParts = {
  /** The parsed text, for `exact` and `numberToken`; unlike its numbers, its structure is final. */
  readonly value: unknown
  /** Completes a part of it. @throws JsonError for a number out of range, and for excessive depth */
  exact(part: unknown): unknown
}

/**
 * As `parseExact`; what is valid JSON and not accepted is reported by part.
 *
 * @throws SyntaxError
 */
export function parseParts(text: string, maxDepth = 128): JsonParts {
  const prepared = prepare(text)
  const final = !prepared.marked && prepared.depth <= maxDepth
  return {
    value: JSON.parse(prepared.text),
    exact: (part) => (final ? part : restore(part, maxDepth)),
  }
}

/**
 * Like `JSON.parse`, with integers beyond 2^53 as `bigint`, limited depth, and an error for numbers
 * out of the range of a double.
 *
 * @throws JsonError or SyntaxError
 */
export function parseExact(text: string, maxDepth = 128): unknown {
  const { value, exact } = parseParts(text, maxDepth)
  return exact(value)
}
