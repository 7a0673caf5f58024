import { bn254 } from '@noble/curves/bn254.js'
import type { Hex } from 'viem'
import type { G1Point } from './types.ts'

const Fp = bn254.fields.Fp

/**
 * Maps a digest to a point of G1, by try and increment: x is the first value from digest mod p
 * upwards for which x³ + 3 is a square; y is the root (x³ + 3)^((p+1)/4) (decision C3).
 *
 * @param digest 32 bytes.
 */
export function hashToCurve(digest: Hex): G1Point {
  let x = Fp.create(BigInt(digest))
  for (;;) {
    const square = Fp.add(Fp.mul(Fp.sqr(x), x), 3n)
    const y = Fp.pow(square, (Fp.ORDER + 1n) / 4n)
    if (Fp.eql(Fp.sqr(y), square)) return { X: x, Y: y }
    x = Fp.add(x, Fp.ONE)
  }
}
