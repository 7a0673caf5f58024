/**
 * A JSON number, exact at any size: `±digits × 10^exponent`. As doubles, 1e999 and 1e998 would both
 * be infinite.
 */
export type Decimal = {
  readonly digits: bigint
  readonly exponent: bigint
  /** Number of integer digits when written out; null for zero, which sorts below all others. */
  readonly magnitude: bigint | null
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** @param text a JSON number */
export function parseDecimal(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts.exec(text) ?? []
  const significant = (whole + fraction).replace(/^0+/, '')
  const exponent = BigInt(power) - BigInt(fraction.length)
  if (significant === '') return { digits: 0n, exponent: 0n, magnitude: null }
  const digits = BigInt(sign + significant)
  return { digits, exponent, magnitude: exponent + BigInt(significant.length) }
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [signA, signB] = [signOf(a.digits), signOf(b.digits)]
  if (signA !== signB) return signA - signB
  if (a.magnitude !== b.magnitude && a.magnitude !== null && b.magnitude !== null) {
    return a.magnitude > b.magnitude ? signA : -signA
  }
  const [x, y] = aligned(a, b)
  return signOf(x - y)
}

/** Whether a number differs from `reference` by at most a tenth of it (decision T8). */
export function withinTenth(a: Decimal, reference: Decimal): boolean {
  if (a.magnitude === null || reference.magnitude === null)
    return a.magnitude === reference.magnitude
  const apart = a.magnitude - reference.magnitude
  // A factor of ten or more apart: aligning them could take any number of digits.
  if (apart > 1n || apart < -1n) return false
  const [x, y] = aligned(a, reference)
  return 10n * magnitudeOf(x - y) <= magnitudeOf(y)
}

/** Digits on a common exponent. For similar magnitudes this adds few digits. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const shift = a.exponent - b.exponent
  return shift > 0n ? [a.digits * 10n ** shift, b.digits] : [a.digits, b.digits * 10n ** -shift]
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0)
const magnitudeOf = (value: bigint): bigint => (value < 0n ? -value : value)
