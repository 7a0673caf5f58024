import { BuiltinError } from '../errors.ts'
import { fromBigInt, fromDouble } from '../values/number.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asString } from './operands.ts'
import { NUMBER, STRING } from './types.ts'

const LETTERS = ['k', 'm', 'g', 't', 'p', 'e', 'z', 'y'] as const

/** Factors of units in lower case: `k` is 1000, `ki` is 1024 and so on. */
const BINARY: ReadonlyMap<string, bigint> = new Map(
  LETTERS.map((letter, i) => [`${letter}i`, 1024n ** BigInt(i + 1)]),
)

/** Powers of ten of units in any case. */
const DECIMAL: ReadonlyMap<string, number> = new Map(
  LETTERS.slice(0, 6).map((letter, i) => [letter, 3 * (i + 1)]),
)

/** Units that OPA does not have, and the one that differs from another by case alone. */
const EXACT: ReadonlyMap<string, number> = new Map(
  Object.entries({
    Q: 30, R: 27, Y: 24, Z: 21, h: 2, da: 1, d: -1, c: -2, m: -3, μ: -6, u: -6,
    n: -9, f: -15, a: -18, z: -21, y: -24, r: -27, q: -30,
  }),
)

/** Units of bytes beyond those of OPA. */
const LARGE: ReadonlyMap<string, number> = new Map(Object.entries({ z: 21, y: 24, r: 27, q: 30 }))

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

const scaled = ({ mantissa, exponent }: Amount, tens: number): Amount => ({
  mantissa,
  exponent: exponent + tens,
})

/** The amount in a unit of these powers of ten, or a binary one; undefined for no unit. */
const inUnit = (
  amount: Amount,
  unit: string,
  tens: number | undefined,
): Amount | undefined => {
  if (unit === '') return amount
  const factor = BINARY.get(unit.toLowerCase())
  if (factor !== undefined) return { ...amount, mantissa: amount.mantissa * factor }
  return tens === undefined ? undefined : scaled(amount, tens)
}

const whole = ({ mantissa, exponent }: Amount): bigint =>
  exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent)

/**
 * Amounts of resources: `m` is a thousandth, `M` a million; letters of OPA else in any case.
 * An unknown unit is undefined in both modes, as in the engine that the service runs.
 */
const parse = (text: string): Value | undefined => {
  const { amount, unit } = parts(text)
  const tens = EXACT.get(unit) ?? DECIMAL.get(unit.toLowerCase())
  const result = inUnit(amount, unit, tens)
  return result === undefined ? undefined : number(result)
}

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

const scaled = ({ mantissa, exponent }: Amount, tens: number): Amount => ({
  mantissa,
  exponent: exponent + tens,
})

/** The amount in a unit of these powers of ten, or a binary one; undefined for no unit. */
const inUnit = (
  amount: Amount,
  unit: string,
  tens: number | undefined,
): Amount | undefined => {
  if (unit === '') return amount
  const factor = BINARY.get(unit.toLowerCase())
  if (factor !== undefined) return { ...amount, mantissa: amount.mantissa * factor }
  return tens === undefined ? undefined : scaled(amount, tens)
}

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
  const bare = unit.replace(/b$/, '')
  const result = bare === '' && unit !== '' ? undefined : inUnit(amount, bare, DECIMAL.get(bare) ?? LARGE.get(bare))
  if (result === undefined) throw new BuiltinError(`unit ${unit} not recognized`)
  return fromBigInt(whole(result))
}

const unary = (name: string, apply: (text: string) => Value | undefined): Builtin => ({
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
