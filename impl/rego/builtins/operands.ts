import { BuiltinError } from '../errors.ts'
import {
  isArray,
  isNumber,
  isObject,
  isSet,
  type ObjectValue,
  type SetValue,
  typeName,
  type Value,
} from '../values/value.ts'
import { bare, WrittenNumber } from '../values/writtenNumber.ts'
import type { BuiltinContext } from './builtin.ts'

/**
 * Runtime checks of operands (input and data have no static type), with the messages of OPA.
 * `position` is 1-based.
 */

export const operandError = (position: number, message: string): BuiltinError =>
  new BuiltinError(`operand ${position} ${message}`, 'eval_type_error')

/** What a built-in needs is not here: an error, because an undefined call could make a denial not hold. */
export function unavailable(why: string): never {
  throw new BuiltinError(why)
}

/** `operand 1 must be string but got number`, or `must be one of {set, array} but ...`. */
export const wrongType = (position: number, got: Value, ...expected: string[]): BuiltinError =>
  operandError(
    position,
    `must be ${expected.length === 1 ? expected[0] : `one of {${expected.join(', ')}}`} but got ${typeName(got)}`,
  )

/** `operand 1 must be array of strings but got array containing number`. */
export function wrongElement(
  position: number,
  collection: Value,
  got: Value,
  ...expected: string[]
): BuiltinError {
  const of = expected.length === 1 ? `${expected[0]}s` : `(any of) {${expected.join(', ')}}`
  const kind = typeName(collection)
  return operandError(
    position,
    `must be ${kind} of ${of} but got ${kind} containing ${typeName(got)}`,
  )
}

export function asString(value: Value, position: number): string {
  if (typeof value !== 'string') throw wrongType(position, value, 'string')
  return value
}

export function asNumber(value: Value, position: number): number | bigint {
  if (!isNumber(value)) throw wrongType(position, value, 'number')
  return value
}

export function asBoolean(value: Value, position: number): boolean {
  if (typeof value !== 'boolean') throw wrongType(position, value, 'boolean')
  return value
}

export function asArray(value: Value, position: number): readonly Value[] {
  if (!isArray(value)) throw wrongType(position, value, 'array')
  return value
}

export function asSet(value: Value, position: number): SetValue {
  if (!isSet(value)) throw wrongType(position, value, 'set')
  return value
}

export function asObject(value: Value, position: number): ObjectValue {
  if (!isObject(value)) throw wrongType(position, value, 'object')
  return value
}

const notIntegral = (position: number): BuiltinError =>
  operandError(position, 'must be integer number but got floating-point number')

/** An integer of any size. */
export function asInteger(value: Value, position: number): number | bigint {
  if (!isNumber(value)) throw wrongType(position, value, 'integer')
  if (typeof value === 'number' && !Number.isInteger(value)) throw notIntegral(position)
  return value
}

/**
 * An integer of 64 bits, used as count or offset; values beyond 2^53 are clamped to ±2^53, longer
 * than any string. Larger ones are errors, and called fractions as in OPA; so is `1.0` in OPA, of
 * which built-ins learn that keep written numbers and pass their context.
 */
export function asInt(value: Value, position: number, ctx?: BuiltinContext): number {
  if (value instanceof WrittenNumber && ctx?.dialect === 'opa-1.2') throw notIntegral(position)
  const number = asNumber(bare(value), position)
  if (!isInt64(number)) throw notIntegral(position)
  return typeof number === 'bigint' ? Math.sign(Number(number)) * 2 ** 53 : number
}

/** Whether a number is an integer of 64 bits. */
export const isInt64 = (value: number | bigint): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isInteger(value)

/** The members of an array, or of a set in order. */
export function asCollection(value: Value, position: number): readonly Value[] {
  if (isArray(value)) return value
  if (isSet(value)) return value.values()
  throw wrongType(position, value, 'set', 'array')
}

/** The strings of an array or set. */
export function asStrings(value: Value, position: number): readonly string[] {
  const items = asCollection(value, position)
  for (const item of items) {
    if (typeof item !== 'string') throw wrongElement(position, value, item, 'string')
  }
  return items as readonly string[]
}
