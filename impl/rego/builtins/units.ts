import { BuiltinError } from '../errors.ts'
import { fromBigInt, fromDouble } from '../values/number.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { asString } from './operands.ts'
import { NUMBER, STRING } from './types.ts'

const LETTERS = ['k', 'm', 'g', 't', 'p', 'e', 'z', 'y'] as const

/** Factors of `ki` (1024), `mi` and so on; case-insensitive. */
const BINARY: ReadonlyMap<string, bigint> = new Map(
  LETTERS.map((letter, i) => [`${letter}i`, 1024n ** BigInt(i + 1)]),
)

/** Powers of ten of the case-insensitive units. */
const DECIMAL: ReadonlyMap<string, number> = new Map(
  LETTERS.slice(0, 6).map((letter, i) => [letter, 3 * (i + 1)]),
)

/** Powers of ten of the case-sensitive units: thousandths, and units that OPA lacks. */
const EXACT: ReadonlyMap<string, number> = new Map([
  ['Q', 30],
  ['R', 27],
  ['Y', 24],
  ['Z', 21],
  ['h', 2],
  ['da', 1],
  ['d', -1],
  ['c', -2],
  ['m', -3],
  ['μ', -6],
  ['n', -9],
  ['f', -15],
  ['a', -18],
  ['z', -21],
  ['y', -24],
  ['r', -27],
  ['q', -30],
])

/** Byte units in addition to those of OPA. */
const LARGE: ReadonlyMap<string, number> = new Map([
  ['z', 21],
  ['y', 24],
  ['r', 27],
  ['q', 30],
])

/** The longest prefix that is a number, with or without exponent; `10e` is 10 and a unit. */
const NUMBER_PREFIX = /^[+-]?[\d.]*(?:[eE][+-]?\d[\d.]*)?/

const AMOUNT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

const MAX_EXPONENT = 1_000

/** mantissa × 10^exponent, exactly. */
type Amount = { readonly mantissa: bigint; readonly exponent: number }

function split(raw: string): { readonly amount: Amount; readonly unit: string } {
  const text = raw.replaceAll('"', '')
  if (text.includes(' ')) throw new BuiltinError('spaces not allowed in resource strings')
  const digits = NUMBER_PREFIX.exec(text)?.[0] ?? ''
  if (digits === '') throw new BuiltinError('no amount provided')
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = AMOUNT.exec(digits) ?? []
  const tooLong = digits.length > MAX_EXPONENT || Math.abs(Number(exponent)) > MAX_EXPONENT
  if ((whole === '' && fraction === '') || tooLong) {
    throw new BuiltinError('could not parse amount to a number')
  }
  const mantissa = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  return {
    amount: { mantissa, exponent: Number(exponent) - fraction.length },
    unit: text.slice(digits.length),
  }
}

/** The amount in a binary unit or in one of these powers of ten; undefined for an unknown unit. */
function inUnit(amount: Amount, unit: string, tens: number | undefined): Amount | undefined {
  if (unit === '') return amount
  const factor = BINARY.get(unit.toLowerCase())
  if (factor !== undefined) return { ...amount, mantissa: amount.mantissa * factor }
  return tens === undefined ? undefined : { ...amount, exponent: amount.exponent + tens }
}

/** The integer part. */
const integral = ({ mantissa, exponent }: Amount): bigint =>
  exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent)

function numeral(amount: Amount): Value {
  const { mantissa, exponent } = amount
  const isWhole = exponent >= 0 || mantissa % 10n ** BigInt(-exponent) === 0n
  return isWhole ? fromBigInt(integral(amount)) : fromDouble(Number(`${mantissa}e${exponent}`))
}

/**
 * Resource amounts: `m` is a thousandth, `M` a million; the other units of OPA are
 * case-insensitive. An unknown unit is undefined in both modes, as in the engine that the service
 * runs.
 */
function parse(text: string): Value | undefined {
  const { amount, unit } = split(text)
  const result = inUnit(amount, unit, EXACT.get(unit) ?? DECIMAL.get(unit.toLowerCase()))
  return result === undefined ? undefined : numeral(result)
}

/** Byte amounts, `10KiB`: truncated to whole bytes. */
function parseBytes(text: string): Value {
  const { amount, unit } = split(text.toLowerCase())
  const bare = unit.replace(/b$/, '')
  const tens = DECIMAL.get(bare) ?? LARGE.get(bare)
  const result = unit === 'b' ? undefined : inUnit(amount, bare, tens)
  if (result === undefined) throw new BuiltinError(`unit ${unit} not recognized`)
  return fromBigInt(integral(result))
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
