import { display } from '../values/display.ts'
import { isNumber, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { sprintf } from './gofmt/format.ts'
import type { Argument } from './gofmt/pad.ts'
import { asArray, asString } from './operands.ts'
import { ANY_ARRAY, STRING } from './types.ts'

const MAX_DOUBLE = BigInt(Number.MAX_VALUE)

/** What is past the doubles is text: with an exponent when it ends in many zeros. */
const scientific = (integer: bigint): string => {
  const text = integer.toString()
  const [, sign = '', first = '', rest = ''] = /^(-?)(\d)(\d*?)0{21,}$/.exec(text) ?? []
  if (first === '') return text
  return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${text.length - sign.length - 1}`
}

/** Numbers and strings are arguments as they are, all else as the text of its term. */
const argument = (value: Value): Argument => {
  if (typeof value === 'string') return { type: 'string', value }
  if (!isNumber(value)) return { type: 'string', value: display(value) }
  if (typeof value === 'number' && !Number.isInteger(value)) return { type: 'float64', value }
  const integer = BigInt(value)
  if (integer > MAX_DOUBLE || integer < -MAX_DOUBLE)
    return { type: 'string', value: scientific(integer) }
  return { type: BigInt.asIntN(64, integer) === integer ? 'int64' : 'big', value: integer }
}

const call = (ctx: BuiltinContext, a: Value, b: Value): Value => {
  const format = asString(a, 1)
  const args = asArray(b, 2)
  ctx.meter.charge(format.length / 8 + args.length)
  return sprintf(format, args.map(argument), ctx.meter)
}

export const sprintfBuiltins: readonly Builtin[] = [
  { name: 'sprintf', args: [STRING, ANY_ARRAY], result: STRING, call },
]
