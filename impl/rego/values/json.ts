import { LimitError, RegoError } from '../errors.ts'
import { compareStrings } from './compare.ts'
import { visited, written } from './limits.ts'
import { fromBigInt, fromDouble } from './number.ts'
import { RegoObject } from './object.ts'
import { RegoSet } from './set.ts'
import {
  isArray,
  isComposite,
  MAX_DEPTH,
  type ObjectValue,
  type Scalar,
  type Value,
} from './value.ts'
import { bare, WrittenNumber } from './writtenNumber.ts'

const tooDeep = (): LimitError => new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)

/**
 * Converts plain JavaScript data to a value; Rego values inside are kept. Undefined members of
 * objects are omitted, as in JSON.
 *
 * @throws RegoError for data without a JSON form (functions, NaN, dates)
 */
export function fromJson(data: unknown, depth = 0): Value {
  switch (typeof data) {
    case 'string':
    case 'boolean':
      return data
    case 'number':
      return fromDouble(data)
    case 'bigint':
      return fromBigInt(data)
    case 'object':
      break
    default:
      throw new RegoError('eval_internal_error', `a ${typeof data} is not a value of JSON`)
  }
  if (data === null || data instanceof RegoObject || data instanceof RegoSet) return data
  if (data instanceof WrittenNumber) return data
  if (depth > MAX_DEPTH) throw tooDeep()
  if (Array.isArray(data)) {
    const items: Value[] = []
    for (let i = 0; i < data.length; i++) items.push(fromJson(data[i], depth + 1))
    return items
  }
  const prototype = Object.getPrototypeOf(data)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new RegoError('eval_internal_error', 'only plain objects are values of JSON')
  }
  const scalars = new Map<Scalar, Value>()
  for (const key of Object.keys(data)) {
    const value = (data as Readonly<Record<string, unknown>>)[key]
    if (value !== undefined) scalars.set(key, fromJson(value, depth + 1))
  }
  return new RegoObject(scalars)
}

/**
 * Converts a value to plain JavaScript data: sets become sorted arrays, keys that are not strings
 * become their JSON text; integers beyond 2^53 stay `bigint`.
 */
export function toJson(value: Value, depth = 0): unknown {
  if (!isComposite(value)) return bare(value)
  if (depth > MAX_DEPTH) throw tooDeep()
  visited(0)
  if (isArray(value)) return value.map((item) => toJson(item, depth + 1))
  if (value.kind === 'set') return value.values().map((item) => toJson(item, depth + 1))
  // fromEntries defines members, so that `__proto__` is a plain member.
  return Object.fromEntries(jsonEntries(value).map(([k, v]) => [k, toJson(v, depth + 1)]))
}

/** The members of an object by their JSON names, sorted; names of other types as `json.marshal` writes them. */
export function jsonEntries(object: ObjectValue): readonly (readonly [string, Value])[] {
  const keys = object.keys()
  if (keys.every((key) => typeof key === 'string')) return object.entries() as [string, Value][]
  const named = new Map<string, Value>()
  for (const [key, value] of object.entries()) {
    named.set(typeof key === 'string' ? key : stringify(key, { html: true }), value)
  }
  return [...named].sort(([a], [b]) => compareStrings(a, b))
}

/** A surrogate without the other: a byte that is not UTF-8, see `builtins/bytes.ts`. */
const LONE = /\p{Cs}/u
/** Text that needs no escaping. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/
const HTML = /[<>&\u2028\u2029]/g
const escapeHtml = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text in quotes with what JSON must escape; a byte that is not UTF-8 as Go writes it. */
const escaped = (text: string): string =>
  text
    .split(LONE)
    .map((part) => JSON.stringify(part).slice(1, -1))
    .join('\\ufffd')

/** The JSON text of a string; with `html`, `<`, `>`, `&` and line separators are escaped too. */
export function quote(text: string, html = false): string {
  const quoted = `"${PLAIN.test(text) ? text : escaped(text)}"`
  return html ? quoted.replace(HTML, escapeHtml) : quoted
}

export type StringifyOptions = {
  /** Escapes `<`, `>`, `&`, U+2028 and U+2029 like `json.marshal`. */
  readonly html?: boolean
}

/** Compact JSON text, the same for equal values: members sorted, sets as sorted arrays. */
export function stringify(value: Value, options: StringifyOptions = {}, depth = 0): string {
  if (typeof value === 'string') {
    written(value.length)
    return quote(value, options.html)
  }
  if (!isComposite(value)) {
    const text = String(bare(value))
    written(text.length)
    return text
  }
  if (depth > MAX_DEPTH) throw tooDeep()
  visited(0)
  if (isArray(value) || value.kind === 'set') {
    const items = isArray(value) ? value : value.values()
    let text = '['
    for (let i = 0; i < items.length; i++) {
      text += (i === 0 ? '' : ',') + stringify(items[i] as Value, options, depth + 1)
    }
    return `${text}]`
  }
  let text = ''
  for (const [key, member] of jsonEntries(value)) {
    text += `${text === '' ? '' : ','}${quote(key, options.html)}:${stringify(member, options, depth + 1)}`
  }
  return `{${text}}`
}
