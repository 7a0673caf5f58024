/** The forms of a double that show its bits: Go's `%b` and `%x`. */

/** value = mantissa × 2^exponent. */
function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, Math.abs(value))
  const bits = view.getBigUint64(0)
  const biased = Number(bits >> 52n)
  const mantissa = (bits & ((1n << 52n) - 1n)) | (biased === 0 ? 0n : 1n << 52n)
  return { mantissa, exponent: Math.max(biased, 1) - 1075 }
}

const signed = (exponent: number, digits: number): string =>
  `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(digits, '0')}`

/** `%b`: the mantissa and the exponent of two, both decimal. */
export function formatBits(value: number): string {
  const { mantissa, exponent } = partsOf(value)
  return `${mantissa}p${signed(exponent, 1)}`
}

/** Hexadecimal digits after the point that hold every double. */
const ALL = 13

/** `%x`: one digit, the fraction in hexadecimal, rounded half to even, and an exponent of two. */
export function formatHex(value: number, precision: number): string {
  let { mantissa, exponent } = partsOf(value)
  exponent = mantissa === 0n ? 0 : exponent + 52
  while (mantissa !== 0n && mantissa >> 52n === 0n) {
    mantissa <<= 1n
    exponent--
  }
  if (precision >= 0 && precision < ALL) {
    const dropped = BigInt(4 * (ALL - precision))
    const rest = mantissa & ((1n << dropped) - 1n)
    const half = 1n << (dropped - 1n)
    mantissa >>= dropped
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++
    mantissa <<= dropped
    if (mantissa >> 53n !== 0n) {
      mantissa >>= 1n
      exponent++
    }
  }
  const digits = mantissa.toString(16).padStart(ALL + 1, '0')
  const all = digits.slice(1)
  const fraction =
    precision < 0 ? all.replace(/0+$/, '') : all.padEnd(precision, '0').slice(0, precision)
  return `0x${digits[0]}${fraction === '' ? '' : `.${fraction}`}p${signed(exponent, 2)}`
}
