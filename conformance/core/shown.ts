/**
 * Values as texts, of which two are the same only if the values are deeply equal: `"12"` is not `12`,
 * and an absent value is none of these.
 */

/** Hostile values may be nested arbitrarily deep. */
const deepest = 200

/** Of values that are not JSON: `12n`, `Date(...)`, `Map(2){...}`. */
const looksLikeValue = [
  /^-?\d+(\.\d+)?(e[+-]?\d+)?n?$/i,
  /^(null|true|false|absent|undefined|NaN|-?Infinity)$/,
  /^["{[</]/,
  /^[A-Za-z_$][\w$]*[({[]/,
  /^(function|symbol|class) /,
]

/** Of a long text only the start is looked at: quotes where none are needed do no harm. */
const looked = 200

/** A string without quotes, where it cannot be taken for another value. */
function plainly(text: string): string {
  const start = text.slice(0, looked)
  const isClear =
    text !== '' && text === text.trim() && !looksLikeValue.some((form) => form.test(start))
  return isClear ? text : JSON.stringify(text)
}

const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** The name of a class; empty for plain objects and arrays. */
function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return 'Null'
  if (prototype === Object.prototype || prototype === Array.prototype) return ''
  return value.constructor?.name || 'Object'
}

function keyText(key: string | symbol): string {
  return typeof key === 'symbol' ? `[${String(key)}]` : JSON.stringify(key)
}

function membersText(value: object, inner: (part: unknown) => string): string {
  const keys = Reflect.ownKeys(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  )
  const members = keys.map(
    (key) => `${keyText(key)}:${inner((value as Record<string | symbol, unknown>)[key])}`,
  )
  return `{${members.join(',')}}`
}

/** An array with only its elements; other members and holes make it an object of its own form. */
function arrayText(value: readonly unknown[], inner: (part: unknown) => string): string {
  const isPlain = Object.keys(value).length === value.length
  return isPlain
    ? `[${value.map(inner).join(',')}]`
    : `Array(${value.length})${membersText(value, inner)}`
}

function objectText(value: object, inner: (part: unknown) => string): string {
  const name = className(value)
  if (Array.isArray(value)) return `${name}${arrayText(value, inner)}`
  if (value instanceof Date)
    return `${name}(${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()})`
  if (value instanceof RegExp)
    return `${value}${value.lastIndex === 0 ? '' : `@${value.lastIndex}`}`
  if (ArrayBuffer.isView(value))
    return `${name}(${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')})`
  if (value instanceof Map)
    return `${name}(${value.size})[${[...value].map(([k, v]) => `${inner(k)}=>${inner(v)}`).join(',')}]`
  if (value instanceof Set) return `${name}(${value.size})[${[...value].map(inner).join(',')}]`
  if (value instanceof Error) return `${name}(${JSON.stringify(value.message)})`
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return `${name}(${inner(value.valueOf())})`
  return `${name}${membersText(value, inner)}`
}

function insideText(value: unknown, depth: number, above: readonly object[]): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol') return `symbol ${String(value)}`
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (above.includes(value)) return '<circular>'
  if (depth >= deepest) return '<deeper>'
  return objectText(value, (part) => insideText(part, depth + 1, [...above, value]))
}

/** A value as one text: JSON where it has a form in JSON. A string has quotes where it needs them. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return plainly(value)
  return value === undefined ? 'absent' : insideText(value, 0, [])
}
