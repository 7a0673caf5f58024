import { WrittenNumber } from './writtenNumber.ts'

/**
 * A Rego value. Arrays are plain arrays, immutable by convention. Numbers are canonical: an integer
 * within ±(2^53-1) is a `number`, any other integer a `bigint`, a fraction a `number`; never NaN,
 * an infinity or -0. So `===` is equality for all scalars. An integer that was written as a
 * fraction may be a `WrittenNumber`, which `bare` and `plain` turn into the integer; built-ins get
 * it only in the arguments that they declare. Undefined is not a value; an operation without a
 * result returns `undefined`.
 */
export type Value = Scalar | WrittenNumber | readonly Value[] | ObjectValue | SetValue

export type Scalar = null | boolean | number | bigint | string

export type Composite = Exclude<Value, Scalar | WrittenNumber>

/** A Rego object; implemented by `RegoObject`. Any value may be a key. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface has the type `this`
export interface ObjectValue {
  readonly kind: 'object'
  readonly size: number
  /** The canonical text, cached by canonical.ts until the next change. */
  canonical: string | undefined
  get(key: Value): Value | undefined
  has(key: Value): boolean
  set(key: Value, value: Value): this
  delete(key: Value): boolean
  /** The keys in Rego's order; cached until the next change. Callers must not modify it. */
  keys(): readonly Value[]
  /** The values in the order of their keys. */
  values(): Value[]
  /** Keys and values in Rego's order. */
  entries(): [Value, Value][]
  /** Visits all entries in unspecified order, for results that do not depend on it. */
  forEach(visit: (key: Value, value: Value) => void): void
  /** Like `forEach`, until `test` returns false. */
  every(test: (key: Value, value: Value) => boolean): boolean
  /** A mutable copy; the values are shared. */
  copy(): ObjectValue
}

/** A Rego set; implemented by `RegoSet`. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface has the type `this`
export interface SetValue {
  readonly kind: 'set'
  readonly size: number
  /** The canonical text, cached by canonical.ts until the next change. */
  canonical: string | undefined
  has(member: Value): boolean
  add(member: Value): this
  delete(member: Value): boolean
  /** The members in Rego's order; cached until the next change. Callers must not modify it. */
  values(): readonly Value[]
  /** Visits all members in unspecified order. */
  forEach(visit: (member: Value) => void): void
  /** Like `forEach`, until `test` returns false. */
  every(test: (member: Value) => boolean): boolean
  /** A mutable copy; the members are shared. */
  copy(): SetValue
}

/** Maximum nesting for walks over a value; deeper values are an error. */
export const MAX_DEPTH = 1_000

export const isComposite = (value: Value): value is Composite =>
  typeof value === 'object' && value !== null && !(value instanceof WrittenNumber)

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isObject = (value: Value): value is ObjectValue =>
  isComposite(value) && !isArray(value) && value.kind === 'object'

export const isSet = (value: Value): value is SetValue =>
  isComposite(value) && !isArray(value) && value.kind === 'set'

export const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** The name of a value's type, as in `type_name` and error messages. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
    case 'bigint':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      if (value === null) return 'null'
      if (value instanceof WrittenNumber) return 'number'
      return isArray(value) ? 'array' : (value as ObjectValue | SetValue).kind
  }
}
