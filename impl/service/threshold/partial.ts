import { type Static, Type } from '@sinclair/typebox'
import { encapsulatedPoint } from './encapsulatedPoint.ts'
import { framed, hexOf, type Point, type RandomBytes, subgroupPointOf } from './group.ts'
import type { GroupKey } from './groupKey.ts'
import type { KeyShare } from './keyGeneration.ts'
import { type Proof, proveEquality, verifyEquality } from './proofs.ts'
import { maxMembers } from './roster.ts'
import { validatorOf } from './signed.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A member's share times the encapsulated key, with a proof of correctness. */
export const Partial = Type.Object({
  place: Type.Integer({ minimum: 1, maximum: maxMembers }),
  point: Hex32,
  proof: Type.Object({ challenge: Hex32, response: Hex32 }),
})
export type Partial = Static<typeof Partial>
export const readPartial = validatorOf(Partial)

/** Binds a proof to one key, encapsulated key and member. */
const contextOf = ({ session }: GroupKey, place: number, enc: Uint8Array): Uint8Array =>
  framed('partial decryption', session.digest, Uint8Array.of(place), enc)

/**
 * One member's partial decryption for an encapsulated key.
 *
 * @throws ThresholdError `point` for an encapsulated key that no honest sender creates
 */
export function partialDecryption(
  { key, place, share }: Pick<KeyShare, 'key' | 'place' | 'share'>,
  enc: Uint8Array,
  random: RandomBytes,
): Partial {
  const of = encapsulatedPoint(enc)
  const image = of.multiply(share)
  const statement = { publicKey: key.verificationKey(place), of, image }
  const proof: Proof = proveEquality(contextOf(key, place, enc), statement, share, random)
  return { place, point: hexOf(image), proof }
}

/** The point of a partial decryption with a valid proof, otherwise undefined: anybody can verify one. */
export function provenPoint(key: GroupKey, enc: Uint8Array, partial: Partial): Point | undefined {
  const { place, point, proof } = partial
  if (place > key.session.roster.members.length) return undefined
  try {
    const image = subgroupPointOf(point)
    const of = encapsulatedPoint(enc)
    const statement = { publicKey: key.verificationKey(place), of, image }
    return verifyEquality(contextOf(key, place, enc), statement, proof) ? image : undefined
  } catch {
    return undefined
  }
}

/** How members decrypt partially, and how openers verify it: what mutants replace. */
export type PartialDecryptions = {
  readonly decrypt: typeof partialDecryption
  readonly provenPoint: typeof provenPoint
}

export const partialDecryptions: PartialDecryptions = { decrypt: partialDecryption, provenPoint }
