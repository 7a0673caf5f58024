import { base, type Point, type RandomBytes, randomScalar, scalars, zero } from './group.ts'

/**
 * Coefficients, starting with the constant. The secret is the value at 0, the shares those at 1, 2,
 * 3 ...
 */
export type Polynomial = readonly bigint[]

/**
 * The coefficients times the base point (Feldman), which bind the dealer and hide the polynomial.
 */
export type Commitments = readonly Point[]

/** A polynomial determined by any `needed` of its values; fewer reveal nothing about it. */
export const randomPolynomial = (needed: number, random: RandomBytes): Polynomial =>
  Array.from({ length: needed }, () => randomScalar(random))

export const commitTo = (polynomial: Polynomial): Commitments =>
  polynomial.map((coefficient) => base.multiply(coefficient))

export const valueAt = (polynomial: Polynomial, x: number): bigint =>
  polynomial.reduceRight(
    (value, coefficient) => scalars.add(scalars.mul(value, BigInt(x)), coefficient),
    0n,
  )

/** The value at `x` times the base point, from the commitments only. */
export const committedValueAt = (commitments: Commitments, x: number): Point =>
  commitments.reduceRight((value, point) => value.multiplyUnsafe(BigInt(x)).add(point), zero)

/** The sum of polynomials of one degree, by coefficient. */
export const sumOfCommitments = (all: readonly Commitments[]): Commitments =>
  (all[0] ?? []).map((_, at) =>
    all.reduce((sum, commitments) => sum.add(commitments[at] as Point), zero),
  )

/**
 * The Lagrange coefficient of the value at `x` for the value at 0, with the known positions `all`.
 */
export const lagrangeAtZero = (x: number, all: readonly number[]): bigint => lagrangeAt(0, x, all)

/** The same for the value at `wanted`. */
export function lagrangeAt(wanted: number, x: number, all: readonly number[]): bigint {
  let numerator = 1n
  let denominator = 1n
  for (const other of all) {
    if (other === x) continue
    numerator = scalars.mul(numerator, scalars.create(BigInt(other - wanted)))
    denominator = scalars.mul(denominator, scalars.create(BigInt(other - x)))
  }
  return scalars.div(numerator, denominator)
}
