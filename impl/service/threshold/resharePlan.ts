import { sha256 } from '@noble/hashes/sha2.js'
import { type Static, Type } from '@sinclair/typebox'
import { framed } from './group.ts'
import { Certificate, digestOf, type GroupKey, openCertificate } from './groupKey.ts'
import { checkRoster, maxMembers, type Roster, type Session, sessionOf } from './roster.ts'
import { RosterRecord } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** One resharing, as the coordinator proposes it to every member that takes part. */
export const ResharePlan = Type.Object({
  /** Of the next epoch. */
  session: Hex32,
  /** Of the epoch in use, with its roster. */
  certificate: Certificate,
  from: RosterRecord,
  /** Equal to `from` for a refresh. */
  to: RosterRecord,
  /** Indexes in `from` of the members that deal, ascending. */
  dealers: Type.Array(Type.Integer({ minimum: 1, maximum: maxMembers }), {
    minItems: 2,
    maxItems: maxMembers,
    uniqueItems: true,
  }),
})
export type ResharePlan = Static<typeof ResharePlan>

/** A verified plan. */
export type Reshare = {
  readonly plan: ResharePlan
  readonly oldKey: GroupKey
  readonly session: Session
  readonly epoch: number
  /** The dealers in their order, and how many of them are needed. */
  readonly dealers: Roster
  /** Every message of the run is signed for this. */
  readonly digest: Uint8Array
}

/**
 * Verifies a plan as far as it can be without the member's own configuration.
 *
 * @throws ThresholdError
 */
export function readPlan(plan: ResharePlan): Reshare {
  const { certificate, from, to } = plan
  checkRoster(from)
  checkRoster(to)
  const oldKey = openCertificate(certificate, from)
  const session = sessionOf(plan.session, to)
  const members = plan.dealers.flatMap((place) => from.members[place - 1] ?? [])
  const ascending = plan.dealers.every(
    (place, at) => at === 0 || place > (plan.dealers[at - 1] ?? 0),
  )
  if (members.length !== plan.dealers.length || !ascending)
    throw new ThresholdError('run', 'the dealers are not members in ascending order')
  if (members.length < from.needed)
    throw new ThresholdError('run', `${from.needed} dealers are needed, got ${members.length}`)
  if (plan.session === certificate.session)
    throw new ThresholdError('run', 'a resharing needs a session of its own')
  const digest = sha256(
    framed(
      'threshold resharing 1',
      session.digest,
      oldKey.session.digest,
      Buffer.from(digestOf(certificate.commitments), 'hex'),
      Uint8Array.from(plan.dealers),
    ),
  )
  const dealers = { needed: from.needed, members }
  return { plan, oldKey, session, epoch: oldKey.epoch + 1, dealers, digest }
}
