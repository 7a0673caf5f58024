import { type Static, Type } from '@sinclair/typebox'
import { Address } from 'polgate-protocol/scalars.ts'
import { hexOf, pointOf, scalarOf } from './group.ts'
import { type Certificate, groupKeyOf, openCertificate } from './groupKey.ts'
import type { KeyShare } from './keyGeneration.ts'
import { maxMembers, type Roster, sessionOf } from './roster.ts'
import { Signed } from './signed.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A roster as stored and sent. */
export const RosterRecord = Type.Object({
  needed: Type.Integer(),
  members: Type.Array(Type.Object({ address: Address, publicKey: Hex32 }), {
    maxItems: maxMembers,
  }),
})

/** The stored result of a run. Without confirmations the run was not completed. */
export const StoredShare = Type.Object({
  version: Type.Literal(1),
  session: Hex32,
  ...RosterRecord.properties,
  place: Type.Integer({ minimum: 1, maximum: maxMembers }),
  share: Hex32,
  commitments: Type.Array(Hex32, { maxItems: maxMembers }),
  confirmations: Type.Optional(Type.Array(Signed, { maxItems: maxMembers })),
  /** Of a resharing: see `Confirmation`. */
  epoch: Type.Optional(Type.Integer({ minimum: 2 })),
  parent: Type.Optional(Hex32),
})
export type StoredShare = Static<typeof StoredShare>

export const rosterRecord = ({ needed, members }: Roster) => ({
  needed,
  members: members.map(({ address, publicKey }) => ({ address, publicKey })),
})

/** A share as it is stored, without confirmations. */
export const storedForm = ({ place, share, commitments, key }: KeyShare): StoredShare => ({
  version: 1,
  session: key.session.id,
  ...rosterRecord(key.session.roster),
  place,
  share: hexOf(share),
  commitments: [...commitments],
  ...(key.epoch === 1 ? {} : { epoch: key.epoch }),
  ...(key.parent === undefined ? {} : { parent: key.parent }),
})

export function certificateOf(stored: StoredShare): Certificate | null {
  const { session, commitments, confirmations } = stored
  return confirmations === undefined ? null : { session, commitments, confirmations }
}

/**
 * A stored share in memory. The certificate, where there is one, is verified against the stored
 * roster.
 *
 * @throws ThresholdError
 */
export function readShare(stored: StoredShare): KeyShare {
  const certificate = certificateOf(stored)
  const key =
    certificate === null
      ? groupKeyOf(sessionOf(stored.session, stored), stored.commitments.map(pointOf), stored)
      : openCertificate(certificate, stored)
  const { place, share, commitments } = stored
  return { place, share: scalarOf(share), key, commitments }
}

/** Whether two rosters have the same members in the same order, and the same threshold. */
export const sameRoster = (a: Roster, b: Roster): boolean =>
  Buffer.from(sessionOf('', rosterRecord(a)).digest).equals(sessionOf('', rosterRecord(b)).digest)
