import { isArray, type Value } from '../values/value.ts'
import { bare } from '../values/writtenNumber.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asArray, asInt, asNumber, isInt64 } from './operands.ts'
import { ANY_ARRAY, NUMBER } from './types.ts'

function claim(ctx: BuiltinContext, length: number): void {
  ctx.meter.charge(length)
  ctx.meter.allocate(length * 8)
}

function concat(ctx: BuiltinContext, a: Value, b: Value): Value {
  const [x, y] = [asArray(a, 1), asArray(b, 2)]
  claim(ctx, x.length + y.length)
  return x.concat(y)
}

function slice(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value | undefined {
  const items = asArray(a, 1)
  // Undefined in both modes in the engine at 0.9, an error in OPA.
  const isLike09 = ctx.dialect !== 'opa-1.2'
  if (isLike09 && [asNumber(bare(b), 2), asNumber(bare(c), 3)].some((each) => !isInt64(each)))
    return undefined
  const [start, stop] = [asInt(b, 2, ctx), asInt(c, 3, ctx)]
  const end = Math.min(Math.max(stop, 0), items.length)
  const from = Math.min(Math.max(start, 0), end)
  claim(ctx, end - from)
  return items.slice(from, end)
}

function reverse(ctx: BuiltinContext, a: Value): Value {
  const items = asArray(a, 1)
  claim(ctx, items.length)
  return [...items].reverse()
}

/** Flattens one level of nested arrays. */
function flatten(ctx: BuiltinContext, a: Value): Value {
  const items: Value[] = []
  for (const item of asArray(a, 1)) {
    claim(ctx, isArray(item) ? item.length + 1 : 1)
    if (isArray(item)) for (const inner of item) items.push(inner)
    else items.push(item)
  }
  return items
}

export const arrayBuiltins: readonly Builtin[] = [
  {
    name: 'array.concat',
    args: [ANY_ARRAY, ANY_ARRAY],
    result: ANY_ARRAY,
    keepsWritten: [0, 1],
    call: concat,
  },
  {
    name: 'array.slice',
    args: [ANY_ARRAY, NUMBER, NUMBER],
    result: ANY_ARRAY,
    keepsWritten: [0, 1, 2],
    call: slice,
  },
  {
    name: 'array.reverse',
    args: [ANY_ARRAY],
    result: ANY_ARRAY,
    keepsWritten: [0],
    call: reverse,
  },
  {
    name: 'array.flatten',
    args: [ANY_ARRAY],
    result: ANY_ARRAY,
    keepsWritten: [0],
    call: flatten,
  },
]
