import { BuiltinError } from '../errors.ts'
import {
  absolute,
  add,
  ceil,
  divide,
  floor,
  fromBigInt,
  multiply,
  type Num,
  remainder,
  round,
  subtract,
} from '../values/number.ts'
import { isNumber, isSet, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asInt, asInteger, asNumber, asString, wrongType } from './operands.ts'
import { difference } from './sets.ts'
import { ANY_SET, arrayOf, NUMBER, STRING, union } from './types.ts'

const binary = (name: string, infix: string, apply: (a: Num, b: Num) => Num): Builtin => ({
  name,
  infix,
  args: [NUMBER, NUMBER],
  result: NUMBER,
  call: (_, a: Value, b: Value) => apply(asNumber(a, 1), asNumber(b, 2)),
})

const unary = (name: string, apply: (a: Num) => Num): Builtin => ({
  name,
  args: [NUMBER],
  result: NUMBER,
  call: (_, a: Value) => apply(asNumber(a, 1)),
})

const NUMBER_OR_SET = union(NUMBER, ANY_SET)

function minus(_: BuiltinContext, a: Value, b: Value): Value {
  if (isNumber(a) && isNumber(b)) return subtract(a, b)
  if (isSet(a) && isSet(b)) return difference(a, b)
  if (!isNumber(a) && !isSet(a)) throw wrongType(1, a, 'number', 'set')
  throw wrongType(2, b, isNumber(b) ? 'set' : 'number')
}

/** Elements created between two charges, so that the deadline is checked. */
const CHUNK = 65_536

/** All integers from a to b by step; memory for all is charged in advance. */
function range(ctx: BuiltinContext, from: Num, to: Num, step: Num): Value {
  const start = BigInt(from)
  const end = BigInt(to)
  const stride = BigInt(step)
  const count = Number((start <= end ? end - start : start - end) / stride) + 1
  const by = start <= end ? stride : -stride
  const isSmall = [start, start + by * BigInt(count - 1)].every((n) =>
    Number.isSafeInteger(Number(n)),
  )
  ctx.meter.allocate(count * (isSmall ? 8 : 40))
  const items: Value[] = []
  let large = start
  let small = Number(start)
  for (let i = 0; i < count; i++) {
    if (i % CHUNK === 0) ctx.meter.charge(Math.min(CHUNK, count - i) * (isSmall ? 1 : 4))
    items.push(isSmall ? small : fromBigInt(large))
    if (isSmall) small += Number(by)
    else large += by
  }
  return items
}

function randIntn(ctx: BuiltinContext, a: Value, b: Value): Value {
  const label = asString(a, 1)
  const n = BigInt(Math.abs(asInt(b, 2)))
  if (n === 0n) return 0
  const bytes = ctx.random.bytes(`rand.intn/${label}/${n}`, 16)
  let number = 0n
  for (const byte of bytes) number = number * 256n + BigInt(byte)
  return fromBigInt(number % n)
}

export const numberBuiltins: readonly Builtin[] = [
  binary('plus', '+', add),
  {
    name: 'minus',
    infix: '-',
    args: [NUMBER_OR_SET, NUMBER_OR_SET],
    result: NUMBER_OR_SET,
    call: minus,
  },
  binary('mul', '*', multiply),
  binary('div', '/', divide),
  binary('rem', '%', remainder),
  unary('abs', absolute),
  unary('round', round),
  unary('ceil', ceil),
  unary('floor', floor),
  {
    name: 'numbers.range',
    args: [NUMBER, NUMBER],
    result: arrayOf(NUMBER),
    call: (ctx, a: Value, b: Value) => range(ctx, asInteger(a, 1), asInteger(b, 2), 1),
  },
  {
    name: 'numbers.range_step',
    args: [NUMBER, NUMBER, NUMBER],
    result: arrayOf(NUMBER),
    call: (ctx, a: Value, b: Value, c: Value) => {
      const [from, to, step] = [asInteger(a, 1), asInteger(b, 2), asInteger(c, 3)]
      if (step <= 0)
        throw new BuiltinError('numbers.range_step: step must be a positive number above zero')
      return range(ctx, from, to, step)
    },
  },
  {
    name: 'rand.intn',
    args: [STRING, NUMBER],
    result: NUMBER,
    nondeterministic: true,
    call: randIntn,
  },
]
