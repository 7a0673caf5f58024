import type { RegoObject } from './object.ts'
import type { RegoSet } from './set.ts'

/**
 * A value of Rego. Arrays are plain arrays, immutable by convention. Numbers are canonical: an
 * integer within ±(2^53-1) is a `number`, any other integer a `bigint`, a fraction a `number`;
 * never NaN, an infinity or -0. So `===` decides equality of all scalars.
 * Undefined is not a value; where an operation may have none, it gives `undefined`.
 */
export type Value = Scalar | readonly Value[] | RegoObject | RegoSet

export type Scalar = null | boolean | number | bigint | string

export type Composite = Exclude<Value, Scalar>

/** Deepest nesting that any walk over a value follows; beyond it the evaluation ends in an error. */
export const MAX_DEPTH = 1_000

export const isComposite = (value: Value): value is Composite =>
  typeof value === 'object' && value !== null

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isObject = (value: Value): value is RegoObject =>
  isComposite(value) && !isArray(value) && value.kind === 'object'

export const isSet = (value: Value): value is RegoSet =>
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
      return isArray(value) ? 'array' : (value as RegoObject | RegoSet).kind
  }
}
