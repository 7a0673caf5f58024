import { BuiltinError } from '../errors.ts'
import { fromBigInt, fromDouble } from '../values/number.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asString } from './operands.ts'
import { NUMBER, STRING } from './types.ts'

const LETTERS = ['k', 'm', 'g', 't', 'p', 'e'] as const

/** Factors of units in lower case: `k` is 1000, `ki` is 1024 and so on. */
const FACTORS: ReadonlyMap<string, bigint> = new Map(
  LETTERS.flatMap((letter, i): [string, bigint][] => [
    [letter, 1000n ** BigInt(i + 1)],
    [`${letter}i`, 1024n ** BigInt(i + 1)],
  ]),
)

/** The longest prefix that is a number, with or without exponent; `10e` is 10 and a unit. */
const NUMBER_PREFIX = /^[+-]?[\d.]*(?:[eE][+-]?\d[\d.]*)?/

const AMOUNT = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/

const MAX_EXPONENT = 1_000

/** mantissa × 10^exponent, exactly. */
type Amount = { readonly mantissa: bigint; readonly exponent: number }

const parts = (raw: string): { readonly amount: Amount; readonly unit: string } => {
  const text = raw.replaceAll('"', '')
  if (text.includes(' ')) throw new BuiltinError('spaces not allowed in resource strings')
  const number = NUMBER_PREFIX.exec(text)?.[0] ?? ''
  if (number === '') throw new BuiltinError('no amount provided')
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = AMOUNT.exec(number) ?? []
  const tooLong = number.length > MAX_EXPONENT || Math.abs(Number(exponent)) > MAX_EXPONENT
  if ((whole === '' && fraction === '') || tooLong) {
    throw new BuiltinError('could not parse amount to a number')
  }
  return {
    amount: {
      mantissa: BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n),
      exponent: Number(exponent) - fraction.length,
    },
    unit: text.slice(number.length),
  }
}

const unknown = (unit: string): BuiltinError => new BuiltinError(`unit ${unit} not recognized`)

const times = ({ mantissa, exponent }: Amount, factor: bigint): Amount => ({
  mantissa: mantissa * factor,
  exponent,
})

const whole = ({ mantissa, exponent }: Amount): bigint =>
  exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent)

/** Amounts of resources: `m` is a thousandth, `M` a million; letters else in any case. */
const parse = (text: string): Value => {
  const { amount, unit } = parts(text)
  if (unit === 'm') return number({ ...amount, exponent: amount.exponent - 3 })
  const factor = unit === '' ? 1n : FACTORS.get(unit.toLowerCase())
  if (factor === undefined) throw unknown(unit)
  return number(times(amount, factor))
}

const number = (amount: Amount): Value => {
  const { mantissa, exponent } = amount
  if (exponent >= 0 || mantissa % 10n ** BigInt(-exponent) === 0n) return fromBigInt(whole(amount))
  return fromDouble(Number(`${mantissa}e${exponent}`))
}

/** Amounts of bytes, `10KiB`: cut to whole bytes. */
const parseBytes = (text: string): Value => {
  const { amount, unit } = parts(text.toLowerCase())
  const factor = unit === '' || unit === 'b' ? 1n : FACTORS.get(unit.replace(/b$/, ''))
  if (factor === undefined || unit === 'b') throw unknown(unit)
  return fromBigInt(whole(times(amount, factor)))
}

const unary = (name: string, apply: (text: string) => Value): Builtin => ({
  name,
  args: [STRING],
  result: NUMBER,
  call: (ctx, a: Value) => {
    const text = asString(a, 1)
    ctx.meter.charge(2 + text.length)
    return apply(text)
  },
})

export const unitBuiltins: readonly Builtin[] = [
  unary('units.parse', parse),
  unary('units.parse_bytes', parseBytes),
]
