/**
 * A value of Rego. Arrays are plain arrays, immutable by convention. Numbers are canonical: an
 * integer within ±(2^53-1) is a `number`, any other integer a `bigint`, a fraction a `number`;
 * never NaN, an infinity or -0. So `===` decides equality of all scalars.
 * Undefined is not a value; where an operation may have none, it gives `undefined`.
 */
export type Value = Scalar | readonly Value[] | ObjectValue | SetValue

export type Scalar = null | boolean | number | bigint | string

export type Composite = Exclude<Value, Scalar>

/** An object of Rego; `RegoObject` implements it. Any value may be a key. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface has the type `this`
export interface ObjectValue {
  readonly kind: 'object'
  readonly size: number
  /** The canonical text, kept by canonical.ts until the next change. */
  canonical: string | undefined
  get(key: Value): Value | undefined
  has(key: Value): boolean
  set(key: Value, value: Value): this
  delete(key: Value): boolean
  /** The keys in Rego's order; kept until the next change. Not to be changed by the caller. */
  keys(): readonly Value[]
  /** The values in the order of their keys. */
  values(): Value[]
  /** Keys and values in Rego's order. */
  entries(): [Value, Value][]
  /** Visits all entries, in no order that may be relied upon: for results that have none. */
  forEach(visit: (key: Value, value: Value) => void): void
  /** As `forEach`, until `test` says no. */
  every(test: (key: Value, value: Value) => boolean): boolean
  /** A copy that may be changed; the values are shared. */
  copy(): ObjectValue
}

/** A set of Rego; `RegoSet` implements it. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface has the type `this`
export interface SetValue {
  readonly kind: 'set'
  readonly size: number
  /** The canonical text, kept by canonical.ts until the next change. */
  canonical: string | undefined
  has(member: Value): boolean
  add(member: Value): this
  delete(member: Value): boolean
  /** The members in Rego's order; kept until the next change. Not to be changed by the caller. */
  values(): readonly Value[]
  /** Visits all members, in no order that may be relied upon. */
  forEach(visit: (member: Value) => void): void
  /** As `forEach`, until `test` says no. */
  every(test: (member: Value) => boolean): boolean
  /** A copy that may be changed; the members are shared. */
  copy(): SetValue
}

/** Deepest nesting that any walk over a value follows; beyond it the evaluation ends in an error. */
export const MAX_DEPTH = 1_000

export const isComposite = (value: Value): value is Composite =>
  typeof value === 'object' && value !== null

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isObject = (value: Value): value is ObjectValue =>
  isComposite(value) && !isArray(value) && value.kind === 'object'

export const isSet = (value: Value): value is SetValue =>
  isComposite(value) && !isArray(value) && value.kind === 'set'

export const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** The name of a value's type, as `type_name` and the error texts give it. */
export const typeName = (value: Value): string => {
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
      return isArray(value) ? 'array' : (value as ObjectValue | SetValue).kind
  }
}
