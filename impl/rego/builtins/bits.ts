import { LimitError } from '../errors.ts'
import { fromBigInt, MAX_DIGITS } from '../values/number.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asInteger, operandError } from './operands.ts'
import { NUMBER } from './types.ts'

const binary = (name: string, apply: (a: bigint, b: bigint) => bigint): Builtin => ({
  name,
  args: [NUMBER, NUMBER],
  result: NUMBER,
  call: (_, a: Value, b: Value) =>
    fromBigInt(apply(BigInt(asInteger(a, 1)), BigInt(asInteger(b, 2)))),
})

function shiftBy(shift: bigint): bigint {
  if (shift < 0n) {
    throw operandError(2, 'must be an unsigned integer number but got a negative integer')
  }
  return shift
}

function left(value: bigint, shift: bigint): bigint {
  const by = shiftBy(shift)
  if (value === 0n) return 0n
  // Four bits per decimal digit exceed the longest allowed number.
  if (by > BigInt(4 * MAX_DIGITS))
    throw new LimitError(`number is longer than ${MAX_DIGITS} digits`)
  return value << by
}

function right(value: bigint, shift: bigint): bigint {
  const by = shiftBy(shift)
  if (by > BigInt(4 * MAX_DIGITS)) return value < 0n ? -1n : 0n
  return value >> by
}

export const bitBuiltins: readonly Builtin[] = [
  binary('bits.and', (a, b) => a & b),
  binary('bits.or', (a, b) => a | b),
  binary('bits.xor', (a, b) => a ^ b),
  binary('bits.lsh', left),
  binary('bits.rsh', right),
  {
    name: 'bits.negate',
    args: [NUMBER],
    result: NUMBER,
    call: (_, a: Value) => fromBigInt(~BigInt(asInteger(a, 1))),
  },
]
