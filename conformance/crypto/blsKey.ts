import { bn254 } from '@noble/curves/bn254.js'
import { type Hex, keccak256, toHex } from 'viem'
import { hashToG1 } from './bn254.ts'

type Affine = { readonly X: bigint; readonly Y: bigint }
type AffineG2 = { readonly X: readonly [bigint, bigint]; readonly Y: readonly [bigint, bigint] }

/** A key that signs as operators do (decisions C1 to C3). */
export type BlsKey = {
  readonly pubkeyG1: Affine
  /** The imaginary coefficient first, as the EVM's precompiles require. */
  readonly pubkeyG2: AffineG2
  readonly sign: (digest: Hex) => Affine
}

function affine(point: ReturnType<typeof hashToG1>): Affine {
  const { x, y } = point.toAffine()
  return { X: x, Y: y }
}

/** The key of a name: the same in every run. */
export function blsKeyOf(name: string): BlsKey {
  const secret = (BigInt(keccak256(toHex(name))) % (bn254.fields.Fr.ORDER - 1n)) + 1n
  const { x, y } = bn254.G2.Point.BASE.multiply(secret).toAffine() as never as {
    x: { c0: bigint; c1: bigint }
    y: { c0: bigint; c1: bigint }
  }
  return {
    pubkeyG1: affine(bn254.G1.Point.BASE.multiply(secret)),
    pubkeyG2: { X: [x.c1, x.c0], Y: [y.c1, y.c0] },
    sign: (digest) => affine(hashToG1(digest).multiply(secret)),
  }
}
