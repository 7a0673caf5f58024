import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * JSON with integers of any size: `bigint` is written as a number, and integers that a double
 * cannot hold are read as `bigint`. Amounts in wei are why.
 */

/** JSON that is already text, put into a document as it is. Its maker answers for its validity. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Makes `JSON.stringify` give way to `stringifyExact`, which knows what to do. */
  toJSON(): never {
    throw new TypeError('RawJson is written by stringifyExact only')
  }
}

const write = (value: unknown): string | undefined => {
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

/** As `JSON.stringify`, with `bigint` as exact numbers and `RawJson` as it is. */
export const stringifyExact = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof TypeError) return write(value) ?? 'null'
    throw error
  }
}

export class JsonError extends AppError {}

/** Member that stands for a number on its way through the parser; nobody outside knows its name. */
const mark = `integer:${crypto.randomUUID()}`

/**
 * An integer past 2^53 keeps its digits as `bigint`; every other number is a double. The stand-in
 * is an object, so that it is accepted exactly where a number is.
 */
const numberText = (token: string): string => {
  if (!Number.isFinite(Number(token))) throw new JsonError('number out of range')
  return /^-?[1-9][0-9]{15,}$/.test(token) && !Number.isSafeInteger(Number(token))
    ? `{"${mark}":"${token}"}`
    : token
}

const restore = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(restore)
  const digits = (value as Record<string, unknown>)[mark]
  if (typeof digits === 'string') return BigInt(digits)
  // Entries are defined, not assigned: a member `__proto__` stays a plain member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member)]))
}

/**
 * Walks the text once: bounds the depth before anything recurses into it, and finds the numbers
 * that a double cannot hold. What is not JSON otherwise is left to the parser.
 */
const prepare = (text: string, maxDepth: number): { text: string; exact: boolean } => {
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
 * As `JSON.parse`, with integers past 2^53 as `bigint`, depth bounded, numbers past the range of a
 * double refused.
 *
 * @throws JsonError or SyntaxError
 */
export const parseExact = (text: string, maxDepth = 128): unknown => {
  const prepared = prepare(text, maxDepth)
  const value: unknown = JSON.parse(prepared.text)
  return prepared.exact ? restore(value) : value
}
