import type { Hex } from 'viem'
import { checkedPoint2 } from './bls.ts'
import { textOfKey, textOfSignature, toPoint1 } from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import type { G1Point, G2Point } from './types.ts'

/**
 * Finds, for signatures that are not their operators', whose they are: the position of the key that
 * each is a signature of over the digest, undefined where it is of none. One pairing a key and one a
 * signature, not one a pair. Points off the curve are of nobody.
 *
 * Yields between pairings, so that a caller can do other work.
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
