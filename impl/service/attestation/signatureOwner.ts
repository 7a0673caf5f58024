import type { Hex } from 'viem'
import { checkedPoint2 } from './bls.ts'
import { textOfKey, textOfSignature, toPoint1 } from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import type { G1Point, G2Point } from './types.ts'

/**
 * Finds the keys of signatures that do not verify against their operators' keys: for each the index
 * of a key that it verifies against over the digest, or undefined. One pairing per key and one per
 * signature, not one per pair. Points off the curve have no key.
 *
 * Yields between pairings, so that a caller can interleave other work.
 */
export function* findOwners(
  digest: Hex,
  signatures: readonly G1Point[],
  keys: readonly G2Point[],
): Generator<undefined, readonly (number | undefined)[]> {
  const message = toPoint1(hashToCurve(digest))
  const owners = new Map<string, number>()
  for (const [position, key] of keys.entries()) {
    owners.set(textOfKey(message, checkedPoint2(key)), position)
    yield
  }
  const found: (number | undefined)[] = []
  for (const signature of signatures) {
    found.push(ownerOf(signature, owners))
    yield
  }
  return found
}

function ownerOf(signature: G1Point, owners: ReadonlyMap<string, number>): number | undefined {
  try {
    const point = toPoint1(signature)
    return point.isZero() ? undefined : owners.get(textOfSignature(point))
  } catch {
    return undefined
  }
}
