import { compare } from '../values/compare.ts'
import { add, multiply, type Num } from '../values/number.ts'
import { isArray, isComposite, isNumber, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asCollection, wrongElement, wrongType } from './operands.ts'
import { codePoints } from './text.ts'
import {
  ANY,
  ANY_ARRAY,
  ANY_OBJECT,
  ANY_SET,
  arrayOf,
  BOOLEAN,
  NUMBER,
  STRING,
  setOf,
  type Type,
  union,
} from './types.ts'

function count(ctx: BuiltinContext, a: Value): Value {
  if (typeof a === 'string') {
    ctx.meter.charge(a.length / 16)
    return codePoints(a)
  }
  if (!isComposite(a)) throw wrongType(1, a, 'array', 'object', 'set', 'string')
  return isArray(a) ? a.length : a.size
}

const fold =
  (start: Num, apply: (a: Num, b: Num) => Num) =>
  (ctx: BuiltinContext, a: Value): Value => {
    const items = asCollection(a, 1)
    ctx.meter.charge(items.length)
    let result = start
    for (const item of items) {
      if (!isNumber(item)) throw wrongElement(1, a, item, 'number')
      result = apply(result, item)
    }
    return result
  }

/** The maximum (`sign` 1) or minimum (`sign` -1); undefined if empty. */
const extreme =
  (sign: 1 | -1) =>
  (ctx: BuiltinContext, a: Value): Value | undefined => {
    const items = asCollection(a, 1)
    if (!isArray(a)) return sign > 0 ? items[items.length - 1] : items[0]
    ctx.meter.charge(items.length)
    let best: Value | undefined
    for (const item of items) {
      if (best === undefined || compare(item, best) * sign > 0) best = item
    }
    return best
  }

function sort(ctx: BuiltinContext, a: Value): Value {
  const items = asCollection(a, 1)
  ctx.meter.charge(items.length * Math.max(1, Math.log2(items.length)))
  ctx.meter.allocate(items.length * 8)
  return isArray(a) ? [...items].sort((x, y) => compare(x, y)) : items
}

/** `any` and `all` of Rego v0. */
const quantifier =
  (wanted: boolean) =>
  (ctx: BuiltinContext, a: Value): Value => {
    const items = asCollection(a, 1)
    ctx.meter.charge(items.length)
    return items.some((item) => (item === true) === wanted) === wanted
  }

const COLLECTION = union(ANY_ARRAY, ANY_SET)
const NUMBERS = union(arrayOf(NUMBER), setOf(NUMBER))

const aggregate = (name: string, arg: Type, result: Type, call: Builtin['call']): Builtin => ({
  name,
  args: [arg],
  result,
  call,
})

/** The result is one or all of the members. */
const selection = (name: string, result: Type, call: Builtin['call']): Builtin => ({
  ...aggregate(name, COLLECTION, result, call),
  keepsWritten: [0],
})

export const aggregateBuiltins: readonly Builtin[] = [
  aggregate('count', union(STRING, ANY_ARRAY, ANY_OBJECT, ANY_SET), NUMBER, count),
  aggregate('sum', NUMBERS, NUMBER, fold(0, add)),
  aggregate('product', NUMBERS, NUMBER, fold(1, multiply)),
  selection('max', ANY, extreme(1)),
  selection('min', ANY, extreme(-1)),
  selection('sort', ANY_ARRAY, sort),
  { ...aggregate('any', COLLECTION, BOOLEAN, quantifier(true)), deprecated: true },
  { ...aggregate('all', COLLECTION, BOOLEAN, quantifier(false)), deprecated: true },
]
