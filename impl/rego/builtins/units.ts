import { BuiltinError } from '../errors.ts'
import { fromBigInt, fromDouble } from '../values/number.ts'
import type { Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
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

const AMOUNT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

const MAX_EXPONENT = 1_000

/** mantissa × 10^exponent, exactly. */
type Amount = { readonly mantissa: bigint; readonly exponent: number }

/** Where the number ends: `e` belongs to it if a digit or a sign follows, other letters never. */
function numberLength(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (/[eE]/.test(char)) {
      if (!/^[\d+-]/.test(text.slice(at + 1, at + 2))) return at
      if (/[+-]/.test(text[at + 1] as string)) at++
    } else if (!/[\d.+-]/.test(char)) return at
  }
  return text.length
}

/** The words of the errors of one of the two functions. */
type Words = { readonly name: string; readonly amount: string; readonly unit: string }

const UNITS: Words = { name: 'units.parse', amount: 'amount', unit: 'unit' }
const BYTES: Words = { name: 'units.parse_bytes', amount: 'byte amount', unit: 'byte unit' }

// OPA's messages start with the name of the built-in, which the evaluator then adds once more.
const problem = (words: Words, what: string): BuiltinError =>
  new BuiltinError(`${words.name}: ${what}`)

const unknownUnit = (words: Words, unit: string): BuiltinError =>
  problem(words, `${words.unit} ${unit} not recognized`)

function split(raw: string, words: Words): { readonly number: string; readonly unit: string } {
  const text = raw.replaceAll('"', '')
  if (text.includes(' ')) throw problem(words, 'spaces not allowed in resource strings')
  const length = numberLength(text)
  if (length === 0) throw problem(words, `no ${words.amount} provided`)
  return { number: text.slice(0, length), unit: text.slice(length) }
}

function amountOf(number: string, words: Words): Amount {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = AMOUNT.exec(number) ?? []
  const tooLong = number.length > MAX_EXPONENT || Math.abs(Number(exponent)) > MAX_EXPONENT
  if ((whole === '' && fraction === '') || tooLong) {
    throw problem(words, `could not parse ${words.amount} to a number`)
  }
  const mantissa = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  return { mantissa, exponent: Number(exponent) - fraction.length }
}

/** Converts from a binary unit or one of these powers of ten; undefined for an unknown unit. */
function converter(
  unit: string,
  tens: number | undefined,
): ((amount: Amount) => Amount) | undefined {
  if (unit === '') return (amount) => amount
  const factor = BINARY.get(unit.toLowerCase())
  if (factor !== undefined)
    return ({ mantissa, exponent }) => ({ mantissa: mantissa * factor, exponent })
  if (tens === undefined) return undefined
  return ({ mantissa, exponent }) => ({ mantissa, exponent: exponent + tens })
}

/** The integer part. */
const integral = ({ mantissa, exponent }: Amount): bigint =>
  exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent)

function numeral(amount: Amount): Value {
  const { mantissa, exponent } = amount
  const isWhole = exponent >= 0 || mantissa % 10n ** BigInt(-exponent) === 0n
  return isWhole ? fromBigInt(integral(amount)) : fromDouble(Number(`${mantissa}e${exponent}`))
}

/** Decimal places of the fractions of OPA. */
const PLACES = 10

/** Rounds half away from zero, like Go's `FloatString`. */
function rounded(amount: Amount): Amount {
  const dropped = -amount.exponent - PLACES
  if (dropped <= 0) return amount
  const unit = 10n ** BigInt(dropped)
  const half = amount.mantissa < 0n ? -unit / 2n : unit / 2n
  return { mantissa: (amount.mantissa + half) / unit, exponent: -PLACES }
}

/**
 * Resource amounts: `m` is a thousandth, `M` a million; the other units are case-insensitive. An
 * unknown unit is an error in OPA; in the engine at 0.9, which has more units, it is undefined in
 * both modes.
 */
function parse(text: string, ctx: BuiltinContext): Value | undefined {
  const { number, unit } = split(text, UNITS)
  const tens = DECIMAL.get(unit.toLowerCase())
  if (ctx.dialect === 'opa-1.2') {
    if (/^[zy]i$/i.test(unit)) throw unknownUnit(UNITS, goUnit(unit))
    const convert = converter(unit, unit === 'm' ? -3 : tens)
    if (convert === undefined) throw unknownUnit(UNITS, goUnit(unit))
    return numeral(rounded(convert(amountOf(number, UNITS))))
  }
  const amount = amountOf(number, UNITS)
  const convert = converter(unit, EXACT.get(unit) ?? tens)
  return convert === undefined ? undefined : numeral(convert(amount))
}

/** The unit as OPA's messages show it. */
const goUnit = (unit: string): string => unit.slice(0, 1) + unit.slice(1).toLowerCase()

/** Byte amounts, `10KiB`: truncated to whole bytes. */
function parseBytes(text: string, ctx: BuiltinContext): Value {
  const { number, unit } = split(text.toLowerCase(), BYTES)
  const bare = unit.replace(/b$/, '')
  const isLike09 = ctx.dialect !== 'opa-1.2'
  if (unit === 'b' || (!isLike09 && /^[zy]i$/.test(bare))) throw unknownUnit(BYTES, unit)
  const tens = DECIMAL.get(bare) ?? (isLike09 ? LARGE.get(bare) : undefined)
  const convert = converter(bare, tens)
  if (convert === undefined) throw unknownUnit(BYTES, unit)
  return fromBigInt(integral(convert(amountOf(number, BYTES))))
}

const unary = (
  name: string,
  apply: (text: string, ctx: BuiltinContext) => Value | undefined,
): Builtin => ({
  name,
  args: [STRING],
  result: NUMBER,
  call: (ctx, a: Value) => {
    const text = asString(a, 1)
    ctx.meter.charge(2 + text.length)
    return apply(text, ctx)
  },
})

export const unitBuiltins: readonly Builtin[] = [
  unary('units.parse', parse),
  unary('units.parse_bytes', parseBytes),
]
