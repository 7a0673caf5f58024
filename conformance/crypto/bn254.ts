import { bn254 } from '@noble/curves/bn254.js'
import { concatHex, type Hex, keccak256, toHex } from 'viem'
import type { Evidence } from './attestation.ts'

const g1 = bn254.G1.Point
const g2 = bn254.G2.Point
const field = bn254.fields.Fp

type G1 = InstanceType<typeof g1>
type Affine = { readonly X: bigint; readonly Y: bigint }

/**
 * Hash to curve by trial (decision C3): the first x from the digest upwards that is on the curve.
 */
export function hashToG1(digest: Hex): G1 {
  let x = field.create(BigInt(digest))
  for (;;) {
    const square = field.add(field.mul(field.sqr(x), x), 3n)
    const y = field.pow(square, (field.ORDER + 1n) / 4n)
    if (field.eql(field.sqr(y), square)) return g1.fromAffine({ x, y })
    x = field.add(x, field.ONE)
  }
}

/** A point in wire format; the identity is (0, 0). Throws for a point off the curve. */
export function pointOf({ X, Y }: Affine): G1 {
  if (X === 0n && Y === 0n) return g1.ZERO
  const point = g1.fromAffine({ x: X, y: Y })
  point.assertValidity()
  return point
}

/** keccak256 of the G1 key (decision C4). */
export const operatorIdOf = ({ X, Y }: Affine): Hex =>
  keccak256(concatHex([toHex(X, { size: 32 }), toHex(Y, { size: 32 })]))

/** Properties of an aggregate signature, separate so that a report can name the one that fails. */
export type AggregateFacts = {
  /** The G1 key of the signers, which is all quorums minus the non-signers, equals the G2 key. */
  readonly keysAgree: boolean
  /** The signature is valid for that key and digest. */
  readonly signatureHolds: boolean
}

/** Verifies the aggregate by the pairing, using only a curve library. */
export function verifyAggregate(digest: Hex, evidence: Evidence): AggregateFacts {
  const sum = (points: readonly Affine[]) =>
    points.reduce<G1>((total, point) => total.add(pointOf(point)), g1.ZERO)
  const signers = sum(evidence.quorumApks).subtract(sum(evidence.nonSignerPubkeys))
  // The imaginary coefficient comes first on the wire, as the EVM's precompile requires.
  const coordinate = ([c1, c0]: readonly [bigint, bigint]) => ({ c0, c1 })
  const key = g2.fromAffine({
    x: coordinate(evidence.apkG2.X),
    y: coordinate(evidence.apkG2.Y),
  } as never)
  key.assertValidity()
  const sigma = pointOf(evidence.sigma)
  if (signers.is0() || sigma.is0()) return { keysAgree: false, signatureHolds: false }
  const one = bn254.fields.Fp12.ONE
  const productIsOne = (pairs: { g1: G1; g2: InstanceType<typeof g2> }[]) =>
    bn254.fields.Fp12.eql(bn254.pairingBatch(pairs), one)
  return {
    keysAgree: productIsOne([
      { g1: signers, g2: g2.BASE },
      { g1: g1.BASE.negate(), g2: key },
    ]),
    signatureHolds: productIsOne([
      { g1: sigma, g2: g2.BASE },
      { g1: hashToG1(digest).negate(), g2: key },
    ]),
  }
}
