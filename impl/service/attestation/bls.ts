import { AppError } from 'polgate-lib/errors/appError.ts'
import { encodePacked, type Hex, keccak256 } from 'viem'
import {
  fromPoint1,
  fromPoint2,
  generatorG1,
  generatorG2,
  isSignature,
  multiply1,
  multiply2,
  type Point1,
  type Point2,
  scalarOf,
  toPoint1,
  toPoint2,
} from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import type { G1Point, G2Point } from './types.ts'

/** Any error of this folder. No message ever holds a secret. */
export class AttestationError extends AppError<{ hint: string; clause: string; cause?: unknown }> {}

/** A signing key. The secret is in a closure, not a property, so it cannot be printed. */
export type BlsKey = {
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
 * @throws AttestationError for another length, or a secret that is zero modulo the order.
 */
export function blsKey(secret: Uint8Array): BlsKey {
  const scalar = secret.length === 32 ? scalarOf(secret) : undefined
  if (scalar === undefined || scalar.isZero()) {
    throw new AttestationError('A BLS secret must be 32 bytes and not zero', {
      hint: 'Use 32 bytes from a cryptographic random source.',
      clause: 'decision C1',
    })
  }
  const pubkeyG1 = fromPoint1(multiply1(generatorG1, scalar))
  const pubkeyG2 = fromPoint2(multiply2(generatorG2, scalar))
  return {
    pubkeyG1,
    pubkeyG2,
    operatorId: operatorId(pubkeyG1),
    sign: (digest) => fromPoint1(multiply1(toPoint1(hashToCurve(digest)), scalar)),
  }
}

/** keccak256(X ‖ Y) of the G1 key (decision C4). */
export function operatorId({ X, Y }: G1Point): Hex {
  return keccak256(encodePacked(['uint256', 'uint256'], [X, Y]))
}

/** Whether `signature` verifies against the key over the digest. False for points off the curve. */
export function verifySignature(digest: Hex, signature: G1Point, pubkeyG2: G2Point): boolean {
  let sigma: Point1
  let key: Point2
  try {
    sigma = toPoint1(signature)
    key = checkedPoint2(pubkeyG2)
  } catch {
    return false
  }
  // The identity would be a valid signature of the identity key over anything.
  if (sigma.isZero() || key.isZero()) return false
  return isSignature(sigma, toPoint1(hashToCurve(digest)), key)
}

const checked = new Map<string, Point2>()
const CHECKED_LIMIT = 1_024

/** Subgroup checks of G2 points are expensive; operators' keys repeat, so results are cached. */
export function checkedPoint2(point: G2Point): Point2 {
  const name = [...point.X, ...point.Y].join()
  const known = checked.get(name)
  if (known !== undefined) return known
  const converted = toPoint2(point)
  if (checked.size >= CHECKED_LIMIT) checked.clear()
  checked.set(name, converted)
  return converted
}
