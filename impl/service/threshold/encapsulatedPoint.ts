import { type Point, pointOfMontgomery } from './group.ts'

/** Encapsulated keys whose points are kept: those of the openings of a moment. */
const maxKept = 256
const kept = new Map<string, Point>()

/** A table of this many bits pays from the third multiplication on; members of one process share it. */
const tableBits = 4

/**
 * `pointOfMontgomery`, from memory for a key that was used just now, with a table for further
 * multiplications: the check of a sealer's proof, members and their opener use the same key, and checking the
 * key takes as long as a decryption. Both key and point are public.
 *
 * @throws ThresholdError `point` for an encapsulated key that no honest sender creates
 */
export function encapsulatedPoint(enc: Uint8Array): Point {
  const key = Buffer.from(enc).toString('hex')
  const known = kept.get(key)
  if (known !== undefined) return known
  const point = pointOfMontgomery(enc).precompute(tableBits)
  kept.set(key, point)
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  return point
}
