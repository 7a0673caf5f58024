import { type Static, Type } from '@sinclair/typebox'
import { type Certificate, openCertificate } from './groupKey.ts'
import { type Member, placeOf, type Roster, sessionOf } from './roster.ts'
import { kindOf, readMessage, Signed } from './signed.ts'
import { readShare, StoredShare } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** Of one epoch; more attempts than this need an operator to look at them. */
const maxAbandoned = 1024

/**
 * What a member stores, replaced as a whole by each of the transitions below. Together they keep
 * this invariant, whatever the coordinator does and whichever members crash: there is always an
 * epoch whose share at least `needed` members have stored. A share is deleted only when `needed`
 * members have signed that they store and use the next one, and a member that has signed this
 * cannot sign that it abandons that epoch.
 */
export const StoredState = Type.Object({
  version: Type.Literal(2),
  /** The epoch in use. */
  active: Type.Optional(StoredShare),
  /** Whether the epoch in use may still be reverted: too few members are known to use it. */
  provisional: Type.Optional(Type.Literal(true)),
  /** The epoch before, until that in use is final. */
  previous: Type.Optional(StoredShare),
  /** A share of a run that all members have to confirm before it is used. */
  next: Type.Optional(Type.Object({ share: StoredShare, confirmation: Signed })),
  /** Runs that this member never uses. */
  abandoned: Type.Array(Hex32, { maxItems: maxAbandoned }),
  /** The epoch that no longer includes this member. */
  retired: Type.Optional(Type.Object({ session: Hex32, epoch: Type.Integer() })),
})
export type HolderState = Static<typeof StoredState>

const Statement = Type.Object({ session: Hex32 })
/** The signer stores the share of an epoch permanently, and uses it. */
export const activated = kindOf('activated', Statement)
/** The signer never uses the share of an epoch. */
export const abandoned = kindOf('abandoned', Statement)

/** Statements of members by their index in the roster. */
export const Statements = Type.Array(
  Type.Object({ place: Type.Integer({ minimum: 1, maximum: 128 }), signed: Signed }),
  { maxItems: 128 },
)
export type Statements = Static<typeof Statements>

function refuse(message: string, hint?: string): never {
  throw new ThresholdError('state', message, { hint })
}

/** Whether the share of a resharing may be confirmed now. @throws ThresholdError `state` */
export function checkNext(state: HolderState, share: StoredShare): void {
  const { active, provisional, next, retired } = state
  const settle = 'Settle the resharing that was interrupted first.'
  if (state.abandoned.includes(share.session)) refuse('this resharing was abandoned')
  if (provisional) refuse('the epoch in use is not final yet', settle)
  if (next !== undefined && next.share.session !== share.session)
    refuse('a share of another resharing is waiting for its confirmation', settle)
  const epoch = active === undefined ? retired?.epoch : (active.epoch ?? 1)
  const later = epoch !== undefined && (share.epoch ?? 1) - 1 > epoch
  const follows =
    active === undefined ? share.parent !== undefined : active.session === share.parent
  if (!later && !follows) refuse('the resharing does not start from the epoch in use')
  if (active !== undefined && readShare(active).key.publicKey !== readShare(share).key.publicKey)
    refuse('the resharing is of another key')
}

export function keepNext(
  state: HolderState,
  share: StoredShare,
  confirmation: Signed,
): HolderState {
  checkNext(state, share)
  return { ...state, next: { share, confirmation } }
}

/** Uses the confirmed share, and keeps the previous one. @throws ThresholdError */
export function activate(
  state: HolderState,
  session: string,
  confirmations: readonly Signed[],
): HolderState {
  const { active, next, provisional: _, retired: __, ...rest } = state
  if (active?.session === session) return state
  if (next?.share.session !== session) return refuse('no share of this resharing is stored')
  const { commitments } = next.share
  const certificate: Certificate = { session, commitments, confirmations: [...confirmations] }
  openCertificate(certificate, next.share)
  return {
    ...rest,
    active: { ...next.share, confirmations: certificate.confirmations },
    provisional: true,
    ...(active === undefined ? {} : { previous: active }),
  }
}

/**
 * Deletes the previous share once enough members use the next one; for a member that is not part of
 * the new roster, its only one.
 *
 * @throws ThresholdError `state` if too few members use it; `dealer` for a statement that is not
 * theirs
 */
export function finalize(
  state: HolderState,
  {
    certificate,
    to,
    statements,
  }: {
    readonly certificate: Certificate
    readonly to: Roster
    readonly statements: Statements
  },
  self: Pick<Member, 'address'>,
): HolderState {
  const { active } = state
  const { session } = certificate
  const uses = active?.session === session
  if (!uses && state.retired?.session === session) return state
  if (uses && state.provisional !== true) return state
  const key = openCertificate(certificate, to)
  const leaves =
    placeOf(to, self.address) === 0 &&
    active !== undefined &&
    (active.epoch ?? 1) < key.epoch &&
    readShare(active).key.publicKey === key.publicKey
  if (!uses && !leaves) return refuse('this operator does not use the epoch that should be final')
  const users = signers(activated, { session, roster: to, statements })
  if (users < to.needed)
    return refuse(`${users} of ${to.needed} needed operators use the next epoch`)
  return leaves
    ? { version: 2, abandoned: [], retired: { session, epoch: key.epoch } }
    : { version: 2, active: active as StoredShare, abandoned: [] }
}

/** Never uses the share of a run. @throws ThresholdError `state` if it is in use */
export function abandon(state: HolderState, session: string): HolderState {
  const { active, next, ...rest } = state
  if (active?.session === session) refuse('this operator already uses the epoch')
  const kept = next?.share.session === session ? {} : next === undefined ? {} : { next }
  const known = state.abandoned.includes(session)
  if (!known && state.abandoned.length === maxAbandoned)
    refuse('too many abandoned resharings', 'Check which coordinator starts them.')
  return {
    ...rest,
    ...(active === undefined ? {} : { active }),
    ...kept,
    abandoned: known ? state.abandoned : [...state.abandoned, session],
  }
}

/**
 * Returns to the previous epoch once so many members have abandoned the one in use that it can never
 * be final.
 *
 * @throws ThresholdError
 */
export function revert(state: HolderState, session: string, statements: Statements): HolderState {
  const { active, provisional, previous, ...rest } = state
  if (active?.session !== session) return state
  if (!provisional) return refuse('the epoch in use is final')
  const gone = signers(abandoned, { session, roster: active, statements })
  if (gone <= active.members.length - active.needed)
    return refuse(`only ${gone} operators have abandoned the epoch`)
  return {
    ...rest,
    ...(previous === undefined ? {} : { active: previous }),
    abandoned: [...state.abandoned, session],
  }
}

/** The number of distinct members with a valid statement. @throws ThresholdError `dealer` */
export function signers(
  kind: typeof activated,
  {
    session,
    roster,
    statements,
  }: {
    readonly session: string
    readonly roster: Roster
    readonly statements: Statements
  },
): number {
  const { digest } = sessionOf(session, roster)
  const places = new Set<number>()
  for (const { place, signed } of statements) {
    const member = roster.members[place - 1]
    if (member === undefined) continue
    if (readMessage(kind, digest, signed, member).session === session) places.add(place)
  }
  return places.size
}
