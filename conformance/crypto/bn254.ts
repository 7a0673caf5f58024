import { bn254 } from '@noble/curves/bn254.js'
import { concatHex, type Hex, keccak256, toHex } from 'viem'
import type { Evidence } from './attestation.ts'

const g1 = bn254.G1.Point
const g2 = bn254.G2.Point
const field = bn254.fields.Fp

type G1 = InstanceType<typeof g1>
type Affine = { readonly X: bigint; readonly Y: bigint }

/** Hash to curve by trial (decision C3): the first x from the digest on that is on the curve. */
export const hashToG1 = (digest: Hex): G1 => {
  let x = field.create(BigInt(digest))
  for (;;) {
    const square = field.add(field.mul(field.sqr(x), x), 3n)
    const y = field.pow(square, (field.ORDER + 1n) / 4n)
    if (field.eql(field.sqr(y), square)) return g1.fromAffine({ x, y })
    x = field.add(x, field.ONE)
  }
}

/** A point of the wire; the identity is (0, 0). Throws for a point off the curve. */
export const pointOf = ({ X, Y }: Affine): G1 => {
  if (X === 0n && Y === 0n) return g1.ZERO
  const point = g1.fromAffine({ x: X, y: Y })
  point.assertValidity()
  return point
}

/** keccak256 of the G1 key (decision C4). */
export const operatorIdOf = ({ X, Y }: Affine): Hex =>
  keccak256(concatHex([toHex(X, { size: 32 }), toHex(Y, { size: 32 })]))

/** What holds of an aggregate signature, each on its own so that a report can name what does not. */
export type AggregateFacts = {
  /** The G1 key of the signers, which is all quorums less the non-signers, is the G2 key's. */
  readonly keysAgree: boolean
  /** The signature is of that key over that digest. */
  readonly signatureHolds: boolean
}

/** Verifies the aggregate with the pairing itself, on a library of curves and nothing else. */
export const verifyAggregate = (digest: Hex, evidence: Evidence): AggregateFacts => {
  const sum = (points: readonly Affine[]) =>
    points.reduce<G1>((total, point) => total.add(pointOf(point)), g1.ZERO)
  const signers = sum(evidence.quorumApks).subtract(sum(evidence.nonSignerPubkeys))
  // The imaginary coefficient stands first on the wire, as the EVM's precompile wants it.
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
