import { formatDouble } from './decimal.ts'
import { formatBits, formatHex } from './hexFloat.ts'
import { pad, type Spec } from './pad.ts'

/** The digits of `%#g` and `%#x` without a precision. */
const SHARP_DIGITS = 6

/** A double with a verb; undefined if the verb is not for numbers with a fraction. */
export function formatFloat(value: number, verb: string, spec: Spec): string | undefined {
  const digits = digitsOf(Math.abs(value), verb, spec)
  if (digits === undefined) return undefined
  const text = spec.sharp && verb !== 'b' ? sharpened(digits, verb, spec.precision) : digits
  const isNegative = value < 0 || Object.is(value, -0)
  const sign = isNegative ? '-' : spec.plus ? '+' : spec.space ? ' ' : ''
  const zero = spec.zero && !spec.minus && spec.width !== undefined
  if (!zero) return pad(sign + text, spec, false)
  return sign + text.padStart((spec.width ?? 0) - sign.length, '0')
}

/** A double without its sign. */
function digitsOf(value: number, verb: string, { precision }: Spec): string | undefined {
  switch (verb) {
    case 'v':
    case 'g':
      return formatDouble(value, 'g', precision ?? -1)
    case 'G':
      return formatDouble(value, 'G', precision ?? -1)
    case 'e':
    case 'E':
      return formatDouble(value, verb, precision ?? 6)
    case 'f':
    case 'F':
      return formatDouble(value, 'f', precision ?? 6)
    case 'b':
      return formatBits(value)
    case 'x':
      return formatHex(value, precision ?? -1)
    case 'X':
      return formatHex(value, precision ?? -1).toUpperCase()
    default:
      return undefined
  }
}

/** `#`: always a decimal point, and for `%g` the zeros at the end. */
function sharpened(text: string, verb: string, precision: number | undefined): string {
  const [, mantissa = '', exponent = ''] =
    (verb === 'x' || verb === 'X' ? /^([^pP]*)(.*)$/ : /^([^eE]*)(.*)$/).exec(text) ?? []
  const keepsZeros = verb === 'v' || verb === 'g' || verb === 'G' || verb === 'x'
  let missing = keepsZeros ? (precision ?? SHARP_DIGITS) : 0
  // Go counts the digits from the first that is not zero; the `x` of `0x` is one for it.
  const counted = mantissa.replace('.', '').replace(/^0+/, '').length
  missing -= counted
  const point = mantissa.includes('.') ? '' : '.'
  if (point !== '' && mantissa === '0') missing--
  return `${mantissa}${point}${'0'.repeat(Math.max(missing, 0))}${exponent}`
}
