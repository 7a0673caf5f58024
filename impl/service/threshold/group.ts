import type { EdwardsPoint } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { ThresholdError } from './thresholdError.ts'

/**
 * The group behind X25519: the subgroup of prime order of edwards25519. A key `s*B` of this subgroup,
 * shown by its Montgomery coordinate, is an X25519 public key like any other, and the shared secret of
 * a sender is `s*enc`, which can be computed from shares of `s`.
 *
 * Scalars are `bigint`s: JavaScript promises no constant time for them. What a neighbour on the same
 * machine could measure is not defended against.
 */
export type Point = EdwardsPoint

const { Fn, Fp } = ed25519.Point
export const base: Point = ed25519.Point.BASE
export const zero: Point = ed25519.Point.ZERO
export const scalars = Fn

/** Bytes from a source that is safe for keys, as many as asked for. */
export type RandomBytes = (size: number) => Uint8Array

/** A scalar of 1 to order - 1; 64 bytes leave no bias. */
export const randomScalar = (random: RandomBytes): bigint => {
  const scalar = wide(random(64))
  return scalar === 0n ? randomScalar(random) : scalar
}

/** SHA-512 of a label and parts, each with its length before it, reduced by the order. */
export const hashToScalar = (label: string, ...parts: readonly Uint8Array[]): bigint =>
  wide(sha512(framed(label, ...parts)))

/** One byte string out of several, such that no other several give the same. */
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

/** 64 hex digits, little-endian, as RFC 8032 writes scalars and points. */
export const hexOf = (value: bigint | Point): string =>
  Buffer.from(typeof value === 'bigint' ? Fn.toBytes(value) : value.toBytes()).toString('hex')

/** @throws Error when it is not below the order */
export const scalarOf = (hex: string): bigint => Fn.fromBytes(Buffer.from(hex, 'hex'))

/**
 * A point of the curve in its one encoding. It may have a torsion component (see `inSubgroup`).
 *
 * @throws Error when it is none
 */
export const pointOf = (hex: string): Point =>
  ed25519.Point.fromBytes(Buffer.from(hex, 'hex'), false)

/** A point of the subgroup, not the neutral one. @throws ThresholdError `point` */
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
 * other members can be summed first and projected once: checking each alone would cost more than all
 * the rest of a key generation.
 */
export const inSubgroup = (point: Point): Point =>
  point.clearCofactor().multiplyUnsafe(cofactorInverse)

/** Equality of the components in the subgroup. */
export const sameInSubgroup = (a: Point, b: Point): boolean => a.subtract(b).clearCofactor().is0()

/** Montgomery u of a point, 64 hex digits: what X25519 calls a public key (RFC 7748). */
export const montgomeryOf = (point: Point): Uint8Array =>
  ed25519.utils.toMontgomery(point.toBytes())

/**
 * One of the two points of the curve over an X25519 public key, always the same; which one does not
 * matter, the coordinate of a multiple is that of its negative.
 *
 * Refused are keys that are not reduced, on the twist, of small order or with a torsion component.
 * An honest sender's key is none of these: it is a multiple of the base point. Multiplied by shares
 * they would tell something of a share.
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
