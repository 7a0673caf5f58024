import { type Static, Type } from '@sinclair/typebox'
import { maxMembers } from './roster.ts'
import { kindOf } from './signed.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Place = Type.Integer({ minimum: 1, maximum: maxMembers })
const Proof = Type.Object({ challenge: Hex32, response: Hex32 })
/** Encapsulated key, 32 bytes of a share, tag. */
const SealedShare = Type.String({ pattern: '^([0-9a-f]{160})?$' })

/** A hash of the later offer, so that no member can choose its polynomial after seeing another. */
export const commit = kindOf('commit', Type.Object({ offer: Hex32 }))

const Offer = Type.Object({
  /** Of the coefficients, starting with the constant. */
  commitments: Type.Array(Hex32, { minItems: 2, maxItems: maxMembers }),
  /** Of knowledge of the constant coefficient. */
  proof: Proof,
  /** X25519, for this session only: shares for this member are encrypted to it. */
  transportKey: Hex32,
})
export const offer = kindOf('offer', Offer)
export type Offer = Static<typeof Offer>

/** A share for each member in the order of the roster, empty for the dealer itself. */
export const deal = kindOf(
  'deal',
  Type.Object({ shares: Type.Array(SealedShare, { maxItems: maxMembers }) }),
)

/** Indexes of dealers whose share for the sender is invalid. */
export const complaint = kindOf(
  'complaint',
  Type.Object({ dealers: Type.Array(Place, { maxItems: maxMembers, uniqueItems: true }) }),
)

/** The shares of members that complained about the sender, in plaintext. */
export const answer = kindOf(
  'answer',
  Type.Object({
    shares: Type.Array(Type.Object({ place: Place, share: Hex32 }), { maxItems: maxMembers }),
  }),
)

/** The result of the run, as computed by the sender; a key is created if all are equal. */
const Confirmation = Type.Object({
  publicKey: Hex32,
  /** SHA-256 over the commitments of the group. */
  commitments: Hex32,
  /** SHA-256 over every message of the run. */
  transcript: Hex32,
  /** Of a resharing: the number of the epoch, 2 or more, and the session that it was dealt from. */
  epoch: Type.Optional(Type.Integer({ minimum: 2, maximum: 2 ** 31 })),
  parent: Type.Optional(Hex32),
})
export const confirmation = kindOf('confirmation', Confirmation)
export type Confirmation = Static<typeof Confirmation>
