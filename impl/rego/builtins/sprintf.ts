import { display } from '../values/display.ts'
import { isNumber, type Value } from '../values/value.ts'
import { WrittenNumber } from '../values/writtenNumber.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { sprintf } from './gofmt/format.ts'
import type { Argument } from './gofmt/pad.ts'
import { asArray, asString } from './operands.ts'
import { ANY_ARRAY, STRING } from './types.ts'

/**
 * What Go formats: an integer of 64 bits or of any size, a double for a number written as a
 * fraction or with an exponent, or text: a string, such a number beyond doubles, and for everything
 * else its term.
 */
function argument(value: Value): Argument {
  if (typeof value === 'string') return { type: 'string', value }
  if (value instanceof WrittenNumber) {
    const double = Number(value.text)
    if (Number.isFinite(double)) return { type: 'float64', value: double }
    return { type: 'string', value: value.text }
  }
  if (!isNumber(value)) return { type: 'string', value: display(value) }
  if (typeof value === 'number' && !Number.isInteger(value)) return { type: 'float64', value }
  const integer = BigInt(value)
  return { type: BigInt.asIntN(64, integer) === integer ? 'int64' : 'big', value: integer }
}

/** The text of `%s`, `%d` and `%v` where it equals the argument. */
function plainText(verb: string | undefined, value: Value | undefined): string | undefined {
  if (typeof value === 'string') return verb === 's' || verb === 'v' ? value : undefined
  if (Number.isSafeInteger(value)) return verb === 'd' || verb === 'v' ? String(value) : undefined
  return undefined
}

/**
 * Fast path for formats with only `%s`, `%d` and `%v` and matching arguments. Undefined otherwise;
 * the full formatter then starts over.
 */
function plain(ctx: BuiltinContext, format: string, args: readonly Value[]): string | undefined {
  let text = ''
  let next = 0
  let from = 0
  for (;;) {
    const percent = format.indexOf('%', from)
    const end = percent < 0 ? format.length : percent
    if (end > from) text += format.slice(from, end)
    if (percent < 0) break
    const part = plainText(format[percent + 1], args[next])
    if (part === undefined) return undefined
    ctx.meter.charge(2 + part.length / 16)
    ctx.meter.allocate(2 * part.length)
    text += part
    next++
    from = percent + 2
  }
  if (next < args.length) return undefined
  ctx.meter.allocate(2 * format.length)
  return text
}

function call(ctx: BuiltinContext, a: Value, b: Value): Value {
  const format = asString(a, 1)
  const args = asArray(b, 2)
  ctx.meter.charge(format.length / 8 + args.length)
  const text = plain(ctx, format, args)
  if (text !== undefined) return text
  return sprintf(format, args.map(argument), ctx.meter)
}

export const sprintfBuiltins: readonly Builtin[] = [
  { name: 'sprintf', args: [STRING, ANY_ARRAY], result: STRING, keepsWritten: [1], call },
]
