import { BuiltinError } from '../../errors.ts'
import { compareStrings } from '../../values/compare.ts'
import { display } from '../../values/display.ts'
import {
  isArray,
  isComposite,
  isNumber,
  isObject,
  type ObjectValue,
  type SetValue,
  type Value,
} from '../../values/value.ts'
import { WrittenNumber } from '../../values/writtenNumber.ts'
import { bytesIn } from '../bytes.ts'

/** A number of the template itself. Numbers of the variables are a type of strings in Go, `json.Number`. */
export class GoNumber {
  readonly type: 'int' | 'float64'
  readonly value: number

  constructor(value: number, type: 'int' | 'float64' = 'int') {
    this.type = type
    this.value = value
  }
}

/** A template value; undefined for a missing key. */
export type Maybe = Value | GoNumber | undefined

export const problem = (what: string): BuiltinError => new BuiltinError(`template: ${what}`)

export function isTrue(value: Maybe): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (value instanceof GoNumber) return value.value !== 0
  return isComposite(value) ? sizeOf(value) > 0 : true
}

/** Numbers of the variables, as they are written. */
export const isVariableNumber = (value: Maybe): boolean =>
  !(value instanceof GoNumber) &&
  value !== undefined &&
  (isNumber(value) || value instanceof WrittenNumber)

const sizeOf = (value: Value): number => (isArray(value) ? value.length : (value as SetValue).size)

/** Go's format for values: `[a b]`, `map[k:v]`. */
export function show(value: Maybe): string {
  if (value === undefined) return '<undefined>'
  if (value === null) return '<nil>'
  if (value instanceof GoNumber) return String(value.value)
  if (isVariableNumber(value)) return display(value)
  if (!isComposite(value)) return String(value)
  if (isObject(value)) {
    const entries = value.entries().map(([key, item]) => `${show(key)}:${show(item)}`)
    return `map[${entries.join(' ')}]`
  }
  return `[${(isArray(value) ? value : value.values()).map(show).join(' ')}]`
}

/** What is compared as a whole, by its type in Go; undefined for nothing and collections. */
function scalarOf(value: Maybe): { readonly type: string; readonly value: unknown } | undefined {
  if (value instanceof GoNumber) return value
  if (typeof value === 'string' || typeof value === 'boolean')
    return { type: typeof value === 'string' ? 'string' : 'bool', value }
  return isVariableNumber(value)
    ? { type: 'json.Number', value: display(value as Value) }
    : undefined
}

/** Texts and numbers of the variables are compared as texts. */
const kindOf = (type: string): string => (type === 'json.Number' ? 'string' : type)

function typeOf(value: Maybe): string {
  if (value === undefined || value === null) return 'nil'
  const scalar = scalarOf(value)
  if (scalar !== undefined) return scalar.type
  return isObject(value as Value) ? 'map[string]interface {}' : '[]interface {}'
}

/** Whether the first is one of the others. */
export function equalsOne([first, ...others]: readonly Maybe[]): boolean {
  if (others.length === 0) throw problem('error calling eq: missing argument for comparison')
  return others.some((other) => equals(first, other))
}

function equals(a: Maybe, b: Maybe): boolean {
  const [one, other] = [scalarOf(a), scalarOf(b)]
  if (one !== undefined && other !== undefined && kindOf(one.type) === kindOf(other.type))
    return one.value === other.value
  const isNothing = [a, b].map((each) => each === undefined || each === null)
  if (isNothing.includes(true)) return isNothing[0] === isNothing[1]
  if (one === undefined && other === undefined)
    throw problem(`error calling eq: non-comparable types ${typeOf(a)} and ${typeOf(b)}`)
  throw incompatible('eq', a, b)
}

const incompatible = (name: string, a: Maybe, b: Maybe): BuiltinError =>
  problem(`error calling ${name}: incompatible types for comparison: ${typeOf(a)} and ${typeOf(b)}`)

export function isLess(name: string, a: Maybe, b: Maybe): boolean {
  const [one, other] = [scalarOf(a), scalarOf(b)]
  const isOrdered = [one, other].every((each) => each !== undefined && each.type !== 'bool')
  if (one === undefined || other === undefined || !isOrdered)
    throw problem(`error calling ${name}: invalid type for comparison`)
  if (kindOf(one.type) !== kindOf(other.type)) throw incompatible(name, a, b)
  return one.type === 'int' || one.type === 'float64'
    ? (one.value as number) < (other.value as number)
    : compareStrings(one.value as string, other.value as string) < 0
}

export function lengthOf(value: Maybe): GoNumber {
  if (value === undefined || value === null) throw problem('error calling len: len of nil pointer')
  const scalar = scalarOf(value)
  if (scalar === undefined) return new GoNumber(sizeOf(value as Value))
  if (kindOf(scalar.type) === 'string') return new GoNumber(bytesIn(String(scalar.value)).length)
  throw problem(`error calling len: len of type ${scalar.type}`)
}

/** What a key or a position refers to. */
export function indexed(value: Maybe, key: Maybe): Maybe {
  const failed = (what: string) => problem(`error calling index: ${what}`)
  if (value === undefined || value === null) throw failed('index of untyped nil')
  const scalar = scalarOf(value)
  if (scalar === undefined && isObject(value as Value)) {
    if (key === undefined || key === null) throw failed('value is nil; should be of type string')
    if (typeof key !== 'string') throw failed(`value has type ${typeOf(key)}; should be string`)
    return (value as ObjectValue).get(key) ?? null
  }
  if (scalar !== undefined && kindOf(scalar.type) !== 'string')
    throw failed(`can't index item of type ${scalar.type}`)
  if (!(key instanceof GoNumber) || key.type !== 'int')
    throw failed(
      key === undefined || key === null
        ? 'cannot index slice/array with nil'
        : `cannot index slice/array with type ${typeOf(key)}`,
    )
  const item =
    scalar === undefined ? itemAt(value as Value, key.value) : byteAt(scalar.value, key.value)
  if (item === undefined) throw failed(`index out of range: ${key.value}`)
  return item
}

const itemAt = (value: Value, position: number): Value | undefined =>
  (isArray(value) ? value : (value as SetValue).values())[position]

function byteAt(text: unknown, position: number): GoNumber | undefined {
  const byte = bytesIn(String(text))[position]
  return byte === undefined ? undefined : new GoNumber(byte)
}

/** A member by its name in a path. */
export function field(value: Maybe, name: string): Maybe {
  if (value === undefined) return undefined
  if (value === null) throw problem(`nil pointer evaluating interface {}.${name}`)
  if (!(value instanceof GoNumber) && isObject(value)) return value.get(name)
  throw problem(`can't evaluate field ${name} in type interface {}`)
}

/** What a range iterates over: keys or positions, and values. */
export function entriesOf(value: Maybe): readonly (readonly [Maybe, Maybe])[] {
  if (value === undefined || value === null) return []
  if (value instanceof GoNumber && value.type === 'int')
    return Array.from({ length: value.value }, (_, i) => [new GoNumber(i), new GoNumber(i)])
  if (value instanceof GoNumber || !isComposite(value))
    throw problem(`range can't iterate over ${show(value)}`)
  if (isObject(value)) return value.entries()
  return (isArray(value) ? value : value.values()).map((item, i) => [new GoNumber(i), item])
}
