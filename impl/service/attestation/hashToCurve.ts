import type { Hex } from 'viem'
import { MODULUS, squareRoot } from './curve.ts'
import type { G1Point } from './types.ts'

/**
 * Maps a digest to a point of G1, by try and increment: x is the first value from digest mod p
 * upwards for which x³ + 3 is a square; y is the root (x³ + 3)^((p+1)/4) (decision C3).
 *
 * @param digest 32 bytes.
 */
export function hashToCurve(digest: Hex): G1Point {
  let x = BigInt(digest) % MODULUS
  for (;;) {
    const y = squareRoot((x ** 3n + 3n) % MODULUS)
    if (y !== undefined) return { X: x, Y: y }
    x = (x + 1n) % MODULUS
  }
}
