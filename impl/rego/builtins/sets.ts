import { RegoSet } from '../values/set.ts'
import { isSet, type SetValue, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asSet, wrongType } from './operands.ts'
import { ANY_SET, setOf } from './types.ts'

export function difference(a: SetValue, b: SetValue): SetValue {
  const result = new RegoSet()
  a.forEach((member) => {
    if (!b.has(member)) result.add(member)
  })
  return result
}

export function intersection(a: SetValue, b: SetValue): SetValue {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  const result = new RegoSet()
  small.forEach((member) => {
    if (large.has(member)) result.add(member)
  })
  return result
}

export function union(a: SetValue, b: SetValue): SetValue {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  const result = large.copy()
  small.forEach((member) => {
    result.add(member)
  })
  return result
}

const binary =
  (apply: (a: SetValue, b: SetValue) => SetValue) =>
  (ctx: BuiltinContext, a: Value, b: Value): Value => {
    const [x, y] = [asSet(a, 1), asSet(b, 2)]
    ctx.meter.charge(x.size + y.size)
    ctx.meter.allocate(16 * (x.size + y.size))
    return apply(x, y)
  }

/** The sets in a set of sets. */
function members(ctx: BuiltinContext, value: Value): readonly SetValue[] {
  const sets: SetValue[] = []
  for (const member of asSet(value, 1).values()) {
    if (!isSet(member)) throw wrongType(1, member, 'set')
    ctx.meter.charge(member.size + 1)
    ctx.meter.allocate(16 * member.size)
    sets.push(member)
  }
  return sets
}

const SETS = setOf(ANY_SET)

export const setBuiltins: readonly Builtin[] = [
  {
    name: 'and',
    infix: '&',
    args: [ANY_SET, ANY_SET],
    result: ANY_SET,
    call: binary(intersection),
  },
  { name: 'or', infix: '|', args: [ANY_SET, ANY_SET], result: ANY_SET, call: binary(union) },
  {
    name: 'intersection',
    args: [SETS],
    result: ANY_SET,
    call: (ctx, a: Value) => {
      const [first, ...rest] = members(ctx, a)
      return rest.reduce(intersection, first ?? new RegoSet())
    },
  },
  {
    name: 'union',
    args: [SETS],
    result: ANY_SET,
    call: (ctx, a: Value) => {
      const result = new RegoSet()
      for (const set of members(ctx, a)) {
        set.forEach((member) => {
          result.add(member)
        })
      }
      return result
    },
  },
]
