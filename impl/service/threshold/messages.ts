import { type Static, Type } from '@sinclair/typebox'
import { maxMembers } from './roster.ts'
import { kindOf } from './signed.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Place = Type.Integer({ minimum: 1, maximum: maxMembers })
const Proof = Type.Object({ challenge: Hex32, response: Hex32 })
/** Encapsulated key, 32 bytes of a share, tag. */
const SealedShare = Type.String({ pattern: '^([0-9a-f]{160})?$' })

/** A hash of the offer to come: nobody chooses its polynomial after having seen another's. */
export const commit = kindOf('commit', Type.Object({ offer: Hex32 }))

const Offer = Type.Object({
  /** Of the coefficients, the constant one first. */
  commitments: Type.Array(Hex32, { minItems: 2, maxItems: maxMembers }),
  /** Of knowledge of the constant coefficient. */
  proof: Proof,
  /** X25519, of this session only: what shares for this member are sealed to. */
  transportKey: Hex32,
})
export const offer = kindOf('offer', Offer)
export type Offer = Static<typeof Offer>

/** A share for each member in the order of the roster, empty for the dealer itself. */
export const deal = kindOf(
  'deal',
  Type.Object({ shares: Type.Array(SealedShare, { maxItems: maxMembers }) }),
)

/** Places of the dealers whose share for the sender is wrong. */
export const complaint = kindOf(
  'complaint',
  Type.Object({ dealers: Type.Array(Place, { maxItems: maxMembers, uniqueItems: true }) }),
)

/** In the open, the shares of those who complained about the sender. */
export const answer = kindOf(
  'answer',
  Type.Object({
    shares: Type.Array(Type.Object({ place: Place, share: Hex32 }), { maxItems: maxMembers }),
  }),
)

/** What the run came to, as the sender computed it; a key is made when all say the same. */
const Confirmation = Type.Object({
  publicKey: Hex32,
  /** SHA-256 over the commitments of the group. */
  commitments: Hex32,
  /** SHA-256 over every message of the run. */
  transcript: Hex32,
})
export const confirmation = kindOf('confirmation', Confirmation)
export type Confirmation = Static<typeof Confirmation>
