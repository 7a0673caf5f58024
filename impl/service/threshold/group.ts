import { mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { ThresholdError } from './thresholdError.ts'

/**
 * The group of X25519: the subgroup of prime order of edwards25519. A key `s*B` of this subgroup,
 * as its Montgomery coordinate, is an ordinary X25519 public key, and the shared secret of a sender
 * is `s*enc`, which can be computed from shares of `s`.
 *
 * Scalars are `bigint`s, whose operations are not constant time in JavaScript. Timing attacks from
 * the same machine are out of scope.
 */
export type Point = EdwardsPoint

const { Fn, Fp } = ed25519.Point
export const base: Point = ed25519.Point.BASE
export const zero: Point = ed25519.Point.ZERO
export const scalars = Fn

/** Cryptographically secure random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** A scalar from 1 to order - 1; 64 bytes avoid bias. */
export function randomScalar(random: RandomBytes): bigint {
  const scalar = wide(random(64))
  return scalar === 0n ? randomScalar(random) : scalar
}

/** SHA-512 of a label and length-prefixed parts, reduced modulo the order. */
export const hashToScalar = (label: string, ...parts: readonly Uint8Array[]): bigint =>
  wide(sha512(framed(label, ...parts)))

/** An unambiguous concatenation of a label and parts. */
export function framed(label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = [Buffer.from(label, 'utf8'), ...parts]
  return Buffer.concat(
    all.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, part]
    }),
  )
}

const wide = (bytes: Uint8Array): bigint => Fn.create(bytesToNumberLE(bytes))

/** 64 hex digits, little-endian, in the encoding of RFC 8032 for scalars and points. */
export const hexOf = (value: bigint | Point): string =>
  Buffer.from(typeof value === 'bigint' ? Fn.toBytes(value) : value.toBytes()).toString('hex')

/** @throws Error if it is not below the order */
export const scalarOf = (hex: string): bigint => Fn.fromBytes(Buffer.from(hex, 'hex'))

/**
 * A point of the curve from its unique encoding. It may have a torsion component (see
 * `inSubgroup`).
 *
 * @throws Error if it is invalid
 */
export const pointOf = (hex: string): Point =>
  ed25519.Point.fromBytes(Buffer.from(hex, 'hex'), false)

/** A point of the subgroup except the identity. @throws ThresholdError `point` */
export function subgroupPointOf(hex: string): Point {
  let point: Point
  try {
    point = pointOf(hex)
  } catch (cause) {
    throw new ThresholdError('point', 'not a point of the curve', { cause })
  }
  return checked(point)
}

function checked(point: Point): Point {
  if (point.is0() || point.isSmallOrder())
    throw new ThresholdError('point', 'a point of small order')
  if (!point.isTorsionFree())
    throw new ThresholdError('point', 'a point outside the subgroup of prime order')
  return point
}

const cofactor = 8n
const cofactorInverse = Fn.inv(cofactor)

/**
 * The component in the subgroup of prime order. The projection is additive, so that commitments of
 * other members are summed first and projected once: projecting each would cost more than the rest
 * of a key generation.
 */
export const inSubgroup = (point: Point): Point =>
  point.clearCofactor().multiplyUnsafe(cofactorInverse)

/** Equality of the components in the subgroup. */
export const sameInSubgroup = (a: Point, b: Point): boolean => a.subtract(b).clearCofactor().is0()

/** The sum of points, each times the scalar at its index. The scalars are public: it is not constant time. */
export const sumOfProducts = (points: readonly Point[], factors: readonly bigint[]): Point =>
  mulAddUnsafe(ed25519.Point, [...points], [...factors])

/** Montgomery u of a point, 64 hex digits: an X25519 public key (RFC 7748). */
export const montgomeryOf = (point: Point): Uint8Array =>
  ed25519.utils.toMontgomery(point.toBytes())

/**
 * One of the two curve points for an X25519 public key, deterministically; which one does not
 * matter, because a multiple of the negative has the same coordinate.
 *
 * Rejects keys that are not reduced, on the twist, of small order or with a torsion component. The
 * key of an honest sender, a multiple of the base point, is none of these. Multiplying such a key
 * by a share would leak information about the share.
 *
 * @throws ThresholdError `point`
 */
export function pointOfMontgomery(key: Uint8Array): Point {
  const u = bytesToNumberLE(key)
  if (key.length !== 32 || u >= Fp.ORDER)
    throw new ThresholdError('point', 'not an X25519 public key in reduced form')
  const plusOne = Fp.add(u, Fp.ONE)
  if (Fp.is0(plusOne)) throw new ThresholdError('point', 'an X25519 public key on the twist')
  const y = Fp.div(Fp.sub(u, Fp.ONE), plusOne)
  let point: Point
  try {
    point = ed25519.Point.fromBytes(numberToBytesLE(y, 32), false)
  } catch (cause) {
    throw new ThresholdError('point', 'an X25519 public key on the twist', { cause })
  }
  return checked(point)
}
