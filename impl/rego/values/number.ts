import { BuiltinError, LimitError } from '../errors.ts'

/** A canonical number, see `Value`. */
export type Num = number | bigint

/** Maximum decimal digits of an integer; larger results are an error. */
export const MAX_DIGITS = 4_096

const MAX_BITS = Math.ceil(MAX_DIGITS * Math.log2(10))
const LIMIT = 1n << BigInt(MAX_BITS)

const tooLarge = (): LimitError => new LimitError(`number is longer than ${MAX_DIGITS} digits`)

/** The canonical form of an exact integer. */
export function fromBigInt(value: bigint): Num {
  const small = Number(value)
  if (Number.isSafeInteger(small)) return small
  if (value > LIMIT || value < -LIMIT) throw tooLarge()
  return value
}

/**
 * The canonical form of a double. An integral double beyond 2^53 is the integer of its shortest
 * decimal text, so that printing and arithmetic agree.
 *
 * @throws BuiltinError for NaN and the infinities
 */
export function fromDouble(value: number): Num {
  if (Number.isSafeInteger(value)) return value + 0
  if (!Number.isFinite(value)) throw new BuiltinError('number is out of range')
  if (!Number.isInteger(value)) return value
  const [mantissa = '', exponent] = String(value).split('e+')
  if (exponent === undefined) return BigInt(mantissa)
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction.padEnd(Number(exponent), '0'))
}

const LEXEME = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Parses a number exactly: `1e3` and `10.0` are integers of any size, other fractions the nearest
 * double.
 *
 * @returns undefined if the text is not a JSON number (leading zeros are accepted)
 * @throws LimitError beyond {@link MAX_DIGITS}
 */
export function parseNumber(text: string): Num | undefined {
  if (text.length > 2 * MAX_DIGITS) {
    if (!LEXEME.test(text)) return undefined
    throw tooLarge()
  }
  const match = LEXEME.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent] = match
  if (fraction === '' && exponent === undefined) {
    return text.length < 16 ? Number(text) + 0 : fromBigInt(BigInt(text))
  }
  const digits = (whole + fraction).replace(/0+$/, '')
  if (digits === '' || /^0*$/.test(digits)) return 0
  // value = digits * 10^shift, with a non-zero last digit: integral if shift >= 0.
  const shift = Number(exponent ?? '0') + whole.length - digits.length
  if (shift < 0) return fromDouble(Number(text))
  if (digits.length + shift > MAX_DIGITS) throw tooLarge()
  return fromBigInt(BigInt(`${sign}${digits}${'0'.repeat(shift)}`))
}

const isInteger = (value: Num): boolean => typeof value === 'bigint' || Number.isInteger(value)

export function add(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum + 0
  }
  if (isInteger(a) && isInteger(b)) return fromBigInt(BigInt(a) + BigInt(b))
  return fromDouble(Number(a) + Number(b))
}

export function subtract(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference + 0
  }
  if (isInteger(a) && isInteger(b)) return fromBigInt(BigInt(a) - BigInt(b))
  return fromDouble(Number(a) - Number(b))
}

export function multiply(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0
  }
  if (isInteger(a) && isInteger(b)) return fromBigInt(BigInt(a) * BigInt(b))
  return fromDouble(Number(a) * Number(b))
}

/** Exact if the integer division has no remainder, else the nearest double. */
export function divide(a: Num, b: Num): Num {
  if (b === 0) throw new BuiltinError('divide by zero')
  if (typeof a === 'number' && typeof b === 'number') return fromDouble(a / b)
  if (isInteger(a) && isInteger(b)) {
    const x = BigInt(a)
    const y = BigInt(b)
    if (x % y === 0n) return fromBigInt(x / y)
    const nearest = quotient(x, y)
    // Beyond the range of doubles, fractions are irrelevant.
    return Number.isFinite(nearest) ? fromDouble(nearest) : fromBigInt(x / y)
  }
  return fromDouble(Number(a) / Number(b))
}

/** Bits of a quotient: those of a double, and some by which to round it. */
const QUOTIENT_BITS = 64

const bitsOf = (value: bigint): number => (value < 0n ? -value : value).toString(2).length

/** The double nearest to x / y, also if x or y is beyond the range of doubles; infinite if the quotient is. */
function quotient(x: bigint, y: bigint): number {
  const shift = QUOTIENT_BITS + bitsOf(y) - bitsOf(x)
  const [up, down] = shift > 0 ? [BigInt(shift), 0n] : [0n, BigInt(-shift)]
  const [numerator, denominator] = [x << up, y << down]
  let digits = numerator / denominator
  // A last bit that says there is more decides between two doubles that are equally near.
  if (digits * denominator !== numerator) digits = (digits << 1n) + (digits < 0n ? -1n : 1n)
  else digits <<= 1n
  // In two steps, as the power alone may be beyond the range.
  const half = Math.trunc((shift + 1) / 2)
  return Number(digits) * 2 ** -half * 2 ** (half - shift - 1)
}

/** The remainder of integers, with the sign of the dividend. */
export function remainder(a: Num, b: Num): Num {
  if (!isInteger(a) || !isInteger(b)) throw new BuiltinError('modulo on floating-point number')
  if (b === 0) throw new BuiltinError('modulo by zero')
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  return fromBigInt(BigInt(a) % BigInt(b))
}

export const negate = (a: Num): Num => (typeof a === 'number' ? 0 - a : fromBigInt(-a))

export const absolute = (a: Num): Num => (a < 0 ? negate(a) : a)

/** Rounds half away from zero. */
export function round(a: Num): Num {
  if (typeof a === 'bigint') return a
  const whole = Math.trunc(a)
  return fromDouble(Math.abs(a - whole) >= 0.5 ? whole + Math.sign(a) : whole)
}

export const ceil = (a: Num): Num => (typeof a === 'bigint' ? a : fromDouble(Math.ceil(a)))

export const floor = (a: Num): Num => (typeof a === 'bigint' ? a : fromDouble(Math.floor(a)))

/** The number as an exact integer; undefined for a fraction. */
export const toInteger = (value: Num): Num | undefined => (isInteger(value) ? value : undefined)
