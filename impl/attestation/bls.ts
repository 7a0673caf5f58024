import { bn254 } from '@noble/curves/bn254.js'
import { encodePacked, type Hex, keccak256 } from 'viem'
import { AttestationError } from './errors.ts'
import { hashToCurve } from './hashToCurve.ts'
import type { G1Point, G2Point } from './types.ts'

const G1 = bn254.G1.Point
const G2 = bn254.G2.Point
const { Fp12 } = bn254.fields
const NEGATED_G2 = G2.BASE.negate()

type Point1 = typeof G1.BASE
type Point2 = typeof G2.BASE

/** A signing key. The secret stays inside: it is no property, so nothing can print it. */
export interface BlsKey {
  readonly pubkeyG1: G1Point
  readonly pubkeyG2: G2Point
  readonly operatorId: Hex
  /** @param digest 32 bytes. */
  sign(digest: Hex): G1Point
}

/**
 * A key from a secret: big-endian, reduced modulo the order of the curve.
 *
 * @param secret 32 bytes.
 * @throws AttestationError for another length, or a secret that is zero in the field.
 */
export function blsKey(secret: Uint8Array): BlsKey {
  const scalar = secret.length === 32 ? toScalar(secret) : 0n
  if (scalar === 0n) {
    throw new AttestationError('A BLS secret is 32 bytes and not zero', {
      hint: 'Take 32 bytes from a cryptographic random source.',
      clause: 'decision C1',
    })
  }
  const pubkeyG1 = toG1(G1.BASE.multiply(scalar))
  const pubkeyG2 = toG2(G2.BASE.multiply(scalar))
  return {
    pubkeyG1,
    pubkeyG2,
    operatorId: operatorId(pubkeyG1),
    sign: (digest) => toG1(fromG1(hashToCurve(digest)).multiply(scalar)),
  }
}

/** keccak256(X ‖ Y) of the G1 key (decision C4). */
export function operatorId({ X, Y }: G1Point): Hex {
  return keccak256(encodePacked(['uint256', 'uint256'], [X, Y]))
}

/** Whether `signature` is the key's over the digest. False also for points off the curve. */
export function verifySignature(digest: Hex, signature: G1Point, pubkeyG2: G2Point): boolean {
  let sigma: Point1
  let key: Point2
  try {
    sigma = fromG1(signature)
    key = fromG2(pubkeyG2)
  } catch {
    return false
  }
  // The identity would sign everything for the identity key.
  if (sigma.is0() || key.is0()) return false
  const product = bn254.pairingBatch([
    { g1: sigma, g2: NEGATED_G2 },
    { g1: fromG1(hashToCurve(digest)), g2: key },
  ])
  return Fp12.eql(product, Fp12.ONE)
}

/** Whether a point is on the curve (the identity is) with both coordinates below the modulus. */
export function isG1Point(point: G1Point): boolean {
  try {
    fromG1(point)
    return true
  } catch {
    return false
  }
}

/** The sum of points, each taken `weight` times. @throws when a point is off the curve. */
export function sumG1(
  terms: readonly { readonly point: G1Point; readonly weight: number }[],
): G1Point {
  return toG1(terms.reduce((sum, term) => sum.add(times(fromG1(term.point), term.weight)), G1.ZERO))
}

/** The sum of points, each taken `weight` times. @throws when a point is off the curve. */
export function sumG2(
  terms: readonly { readonly point: G2Point; readonly weight: number }[],
): G2Point {
  return toG2(terms.reduce((sum, term) => sum.add(times(fromG2(term.point), term.weight)), G2.ZERO))
}

/** Weights are counts of quorums, so they are small and no secret. */
function times<P extends { add(other: P): P }>(point: P, weight: number): P {
  let sum = point
  for (let i = 1; i < weight; i++) sum = sum.add(point)
  return sum
}

function toScalar(secret: Uint8Array): bigint {
  const value = secret.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return bn254.fields.Fr.create(value)
}

function fromG1({ X, Y }: G1Point): Point1 {
  if (X === 0n && Y === 0n) return G1.ZERO
  const point = G1.fromAffine({ x: X, y: Y })
  point.assertValidity()
  return point
}

function toG1(point: Point1): G1Point {
  if (point.is0()) return { X: 0n, Y: 0n }
  const { x, y } = point.toAffine()
  return { X: x, Y: y }
}

const checkedG2 = new Map<string, Point2>()
const CHECKED_G2_LIMIT = 1_024

/** A G2 point costs a subgroup check; operators' keys come again and again, so checked ones are kept. */
function fromG2({ X, Y }: G2Point): Point2 {
  const name = `${X[0]},${X[1]},${Y[0]},${Y[1]}`
  const known = checkedG2.get(name)
  if (known !== undefined) return known
  if (X[0] === 0n && X[1] === 0n && Y[0] === 0n && Y[1] === 0n) return G2.ZERO
  const point = G2.fromAffine({ x: { c0: X[1], c1: X[0] }, y: { c0: Y[1], c1: Y[0] } })
  point.assertValidity()
  if (checkedG2.size >= CHECKED_G2_LIMIT) checkedG2.clear()
  checkedG2.set(name, point)
  return point
}

function toG2(point: Point2): G2Point {
  if (point.is0()) return { X: [0n, 0n], Y: [0n, 0n] }
  const { x, y } = point.toAffine()
  return { X: [x.c1, x.c0], Y: [y.c1, y.c0] }
}
