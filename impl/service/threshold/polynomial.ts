import { base, type Point, type RandomBytes, randomScalar, scalars, zero } from './group.ts'

/** Coefficients from the constant one up; its value at 0 is shared by its values at 1, 2, 3 ... */
export type Polynomial = readonly bigint[]

/** The coefficients times the base point (Feldman): they bind the dealer and hide the polynomial. */
export type Commitments = readonly Point[]

/** A polynomial that any `needed` of its values determine and fewer tell nothing of. */
export const randomPolynomial = (needed: number, random: RandomBytes): Polynomial =>
  Array.from({ length: needed }, () => randomScalar(random))

export const commitTo = (polynomial: Polynomial): Commitments =>
  polynomial.map((coefficient) => base.multiply(coefficient))

export const valueAt = (polynomial: Polynomial, x: number): bigint =>
  polynomial.reduceRight(
    (value, coefficient) => scalars.add(scalars.mul(value, BigInt(x)), coefficient),
    0n,
  )

/** The value at `x` times the base point, from the commitments alone. */
export const committedValueAt = (commitments: Commitments, x: number): Point =>
  commitments.reduceRight((value, point) => value.multiplyUnsafe(BigInt(x)).add(point), zero)

/** Sum, coefficient by coefficient, of polynomials of one degree. */
export const sumOfCommitments = (all: readonly Commitments[]): Commitments =>
  (all[0] ?? []).map((_, at) =>
    all.reduce((sum, commitments) => sum.add(commitments[at] as Point), zero),
  )

/** What the value at `x` weighs in the value at 0, when `all` are the places that are known. */
export function lagrangeAtZero(x: number, all: readonly number[]): bigint {
  let numerator = 1n
  let denominator = 1n
  for (const other of all) {
    if (other === x) continue
    numerator = scalars.mul(numerator, scalars.create(BigInt(other)))
    denominator = scalars.mul(denominator, scalars.create(BigInt(other - x)))
  }
  return scalars.div(numerator, denominator)
}
