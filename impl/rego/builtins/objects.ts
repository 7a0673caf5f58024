import { BuiltinError, LimitError } from '../errors.ts'
import { equal } from '../values/compare.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import {
  isArray,
  isComposite,
  isObject,
  isSet,
  MAX_DEPTH,
  type ObjectValue,
  type Value,
} from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asArray, asObject, wrongElement, wrongType } from './operands.ts'
import { ANY, ANY_ARRAY, ANY_OBJECT, ANY_SET, arrayOf, union } from './types.ts'

/** One step of a path: into an object by key, an array by index, a set by member. */
function step(value: Value, key: Value): Value | undefined {
  if (!isComposite(value)) return undefined
  if (isArray(value)) return typeof key === 'number' ? value[key] : undefined
  if (value.kind === 'object') return value.get(key)
  return value.has(key) ? key : undefined
}

function get(_: BuiltinContext, a: Value, key: Value, otherwise: Value): Value {
  const object = asObject(a, 1)
  if (!isArray(key)) {
    const value = object.get(key)
    return value === undefined ? otherwise : value
  }
  let value: Value | undefined = object
  for (const part of key) {
    value = step(value, part)
    if (value === undefined) return otherwise
  }
  return value
}

/** The keys in an array, set or object of keys. */
function keysOf(value: Value): readonly Value[] {
  if (isArray(value)) return value
  if (isSet(value)) return value.values()
  if (isObject(value)) return value.keys()
  throw wrongType(2, value, 'object', 'set', 'array')
}

function claim(ctx: BuiltinContext, size: number): void {
  ctx.meter.charge(size)
  ctx.meter.allocate(size * 24)
}

function remove(ctx: BuiltinContext, a: Value, b: Value): Value {
  const object = asObject(a, 1)
  const keys = keysOf(b)
  claim(ctx, object.size + keys.length)
  const result = object.copy()
  for (const key of keys) result.delete(key)
  return result
}

function filter(ctx: BuiltinContext, a: Value, b: Value): Value {
  const object = asObject(a, 1)
  const keys = keysOf(b)
  claim(ctx, keys.length)
  const result = new RegoObject()
  for (const key of keys) {
    const value = object.get(key)
    if (value !== undefined) result.set(key, value)
  }
  return result
}

/** Merges two objects recursively; otherwise the second value wins. */
function merge(ctx: BuiltinContext, a: ObjectValue, b: ObjectValue, depth = 0): ObjectValue {
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  claim(ctx, a.size + b.size)
  const result = a.copy()
  b.forEach((key, value) => {
    const old = a.get(key)
    const both = old !== undefined && isObject(old) && isObject(value)
    result.set(key, both ? merge(ctx, old, value, depth + 1) : value)
  })
  return result
}

function unionN(ctx: BuiltinContext, a: Value): Value {
  let result: ObjectValue = new RegoObject()
  for (const item of asArray(a, 1)) {
    if (!isObject(item)) throw wrongElement(1, a, item, 'object')
    result = merge(ctx, result, item)
  }
  return result
}

function isSubobject(
  ctx: BuiltinContext,
  all: ObjectValue,
  part: ObjectValue,
  depth: number,
): boolean {
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  ctx.meter.charge(part.size)
  return part.every((key, value) => {
    const other = all.get(key)
    if (other === undefined) return false
    return isSubset(ctx, other, value, depth + 1) ?? equal(other, value)
  })
}

function isSubarray(ctx: BuiltinContext, all: readonly Value[], part: readonly Value[]): boolean {
  ctx.meter.charge(all.length)
  for (let from = 0; from + part.length <= all.length; from++) {
    let i = 0
    while (i < part.length && equal(all[from + i] as Value, part[i] as Value)) i++
    if (i === part.length) return true
    ctx.meter.charge(i)
  }
  return false
}

/** Undefined for values of types that cannot be subsets of each other. */
function isSubset(
  ctx: BuiltinContext,
  all: Value,
  part: Value,
  depth: number,
): boolean | undefined {
  if (!isComposite(all) || !isComposite(part)) return undefined
  if (isArray(all)) {
    if (isArray(part)) return isSubarray(ctx, all, part)
    if (part.kind !== 'set' || depth > 0) return undefined
    const members = RegoSet.from(all)
    ctx.meter.charge(all.length)
    return part.every((member) => members.has(member))
  }
  if (isArray(part)) return undefined
  if (all.kind === 'object') {
    return part.kind === 'object' ? isSubobject(ctx, all, part, depth) : undefined
  }
  if (part.kind !== 'set') return undefined
  ctx.meter.charge(part.size)
  return part.every((member) => all.has(member))
}

function subset(ctx: BuiltinContext, a: Value, b: Value): Value {
  const answer = isSubset(ctx, a, b, 0)
  if (answer !== undefined) return answer
  throw new BuiltinError(
    'both arguments object.subset must be of the same type or array and set',
    'eval_type_error',
  )
}

const KEYS = union(ANY_ARRAY, ANY_OBJECT, ANY_SET)
const COLLECTION = union(ANY_ARRAY, ANY_OBJECT, ANY_SET)

export const objectBuiltins: readonly Builtin[] = [
  {
    name: 'object.get',
    args: [ANY_OBJECT, ANY, ANY],
    result: ANY,
    keepsWritten: [0, 2],
    call: get,
  },
  {
    name: 'object.keys',
    args: [ANY_OBJECT],
    result: ANY_SET,
    call: (ctx, a: Value) => {
      const object = asObject(a, 1)
      claim(ctx, object.size)
      const keys = new RegoSet()
      object.forEach((key) => {
        keys.add(key)
      })
      return keys
    },
  },
  {
    name: 'object.remove',
    args: [ANY_OBJECT, KEYS],
    result: ANY,
    keepsWritten: [0],
    call: remove,
  },
  {
    name: 'object.filter',
    args: [ANY_OBJECT, KEYS],
    result: ANY,
    keepsWritten: [0],
    call: filter,
  },
  {
    name: 'object.union',
    args: [ANY_OBJECT, ANY_OBJECT],
    result: ANY,
    keepsWritten: [0, 1],
    call: (ctx, a: Value, b: Value) => merge(ctx, asObject(a, 1), asObject(b, 2)),
  },
  {
    name: 'object.union_n',
    args: [arrayOf(ANY_OBJECT)],
    result: ANY,
    keepsWritten: [0],
    call: unionN,
  },
  { name: 'object.subset', args: [COLLECTION, COLLECTION], result: ANY, call: subset },
]
