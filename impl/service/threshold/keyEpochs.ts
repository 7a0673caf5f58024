import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { RandomBytes } from './group.ts'
import { type Certificate, type GroupKey, openCertificate } from './groupKey.ts'
import { abandoned, activated, type Statements, signers } from './holderState.ts'
import type { HolderStatus, KeyMember } from './keyHolder.ts'
import type { SettleRequest } from './keyLifecycle.ts'
import { placeOf, type Roster } from './roster.ts'
import { acceptsRoster, type RosterRules } from './rosterRules.ts'
import type { Signed } from './signed.ts'
import { rosterRecord } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

export type LifecycleOptions = {
  /** Every operator that may be a member, in the order of the configuration. */
  readonly members: readonly KeyMember[]
  /** From the gateway's configuration; certificates of other rosters are ignored. */
  readonly rules: RosterRules
  readonly random: RandomBytes
  readonly signal: AbortSignal
  /** Timeout of an operator's status, milliseconds; one that hangs counts as down. Default 10,000. */
  readonly statusMs?: number
}

/** An operator and its status, or why there is none. */
export type MemberStatus = {
  readonly member: KeyMember
  readonly status: HolderStatus | undefined
  readonly problem: string | undefined
}

/** One epoch, as some members report it. */
export type Epoch = {
  readonly key: GroupKey
  readonly certificate: Certificate
  readonly roster: Roster
  /** Members that use it. */
  readonly users: readonly MemberStatus[]
  /** Members that store its share and wait for the confirmations of the others. */
  readonly waiting: readonly MemberStatus[]
  readonly final: boolean
}

/** The statuses of all members; never rejects for one of them. */
export async function readStatuses(options: LifecycleOptions): Promise<MemberStatus[]> {
  const { members, signal, statusMs = 10_000 } = options
  const soon = linkedSignal(signal, AbortSignal.timeout(statusMs))
  const asked = await Promise.allSettled(members.map((member) => member.status(soon.signal)))
  soon.release()
  signal.throwIfAborted()
  return asked.map((one, at) => ({
    member: members[at] as KeyMember,
    status: one.status === 'fulfilled' ? one.value : undefined,
    problem: one.status === 'fulfilled' ? undefined : textOf(one.reason),
  }))
}

/** The epochs that members report, the latest first. Invalid certificates are ignored. */
export function epochsOf(statuses: readonly MemberStatus[], rules: RosterRules): Epoch[] {
  const known = new Map<string, { certificate: Certificate; roster: Roster; key: GroupKey }>()
  const add = (certificate: Certificate, roster: Roster) => {
    if (known.has(certificate.session) || !acceptsRoster(rules, roster)) return
    try {
      known.set(certificate.session, {
        certificate,
        roster,
        key: openCertificate(certificate, roster),
      })
    } catch {
      // Not confirmed by every member: an incomplete run, or a false answer.
    }
  }
  for (const { status } of statuses)
    if (status?.certificate && status.roster) add(status.certificate, status.roster)
  // A run that everyone has confirmed, whose coordinator did not come to tell.
  for (const { status } of statuses) {
    if (!status?.next) continue
    const { session, roster, commitments } = status.next
    const confirmations = roster.members.flatMap(
      ({ address }) =>
        statuses.find((other) => isOf(other, address) && other.status?.next?.session === session)
          ?.status?.next?.confirmation ?? [],
    )
    add({ session, commitments, confirmations }, roster)
  }
  const epochs = [...known.entries()].map(([session, one]) => ({
    ...one,
    users: statuses.filter(
      ({ status }) => status?.state === 'complete' && status.session === session,
    ),
    waiting: statuses.filter(({ status }) => status?.next?.session === session),
    final: statuses.some(({ status }) => status?.session === session && status.final),
  }))
  return epochs.sort(
    (a, b) =>
      b.key.epoch - a.key.epoch ||
      Number(b.final) - Number(a.final) ||
      b.users.length - a.users.length,
  )
}

export const isOf = ({ member }: MemberStatus, address: Address): boolean =>
  member.address.toLowerCase() === address.toLowerCase()

/**
 * The epoch in use, after a resharing that was interrupted has been completed, or abandoned where it
 * can no longer be completed. Can be repeated at any time, also after it was itself interrupted.
 *
 * @returns undefined if no member reports a key
 * @throws ThresholdError `state` if too few operators that use one epoch can be reached
 */
export async function settleEpochs(options: LifecycleOptions): Promise<Epoch | undefined> {
  const { rules, signal } = options
  const before = await readStatuses(options)
  const epochs = epochsOf(before, rules)
  const [latest] = epochs
  const unsettled = before.some(
    ({ member, status }) =>
      status?.next ||
      (status?.state === 'complete' && !status.final) ||
      // A member that left and has not been told.
      (status?.state === 'complete' &&
        latest !== undefined &&
        placeOf(latest.roster, member.address) === 0),
  )
  if (unsettled) {
    for (const epoch of epochs) await settleEpoch(epoch, before, signal)
    await abandonRest(epochs, before, signal)
  }
  const after = unsettled ? epochsOf(await readStatuses(options), rules) : epochs
  const current = after.find(({ users, roster }) => users.length >= roster.needed)
  if (current !== undefined || after.length === 0) return current
  const [{ users, roster, key }] = after as [Epoch]
  throw new ThresholdError(
    'state',
    `${users.length} of ${roster.needed} needed operators use epoch ${key.epoch} of the privacy key`,
    { hint: 'Start the operators that are down.' },
  )
}

async function settleEpoch(
  epoch: Epoch,
  statuses: readonly MemberStatus[],
  signal: AbortSignal,
): Promise<void> {
  const { certificate, roster, users, waiting, key } = epoch
  if (key.epoch === 1) return
  const { session, confirmations } = certificate
  const inRoster = statuses.filter(({ member }) => placeOf(roster, member.address) > 0)
  const using = inRoster.filter((one) => users.includes(one) || waiting.includes(one))
  const statements = await statementsOf(using, roster, signal, {
    action: 'activate',
    session,
    confirmations,
  })
  if (signers(activated, { session, roster, statements }) >= roster.needed)
    return finalizeAll(epoch, statements, statuses, signal)
  if (epoch.final) return
  const others = inRoster.filter((one) => one.status !== undefined && !using.includes(one))
  const gone = await statementsOf(others, roster, signal, {
    action: 'abandon',
    session,
    roster: rosterRecord(roster),
  })
  const enough = roster.members.length - roster.needed
  if (signers(abandoned, { session, roster, statements: gone }) <= enough) return
  await tell(using, signal, { action: 'revert', session, statements: gone })
}

/** Members that use an epoch delete the one before; members that left delete their share. */
export async function finalizeAll(
  { certificate, roster }: Pick<Epoch, 'certificate' | 'roster'>,
  statements: Statements,
  statuses: readonly MemberStatus[],
  signal: AbortSignal,
): Promise<void> {
  const reachable = statuses.filter(({ status }) => status !== undefined)
  await tell(reachable, signal, {
    action: 'finalize',
    certificate,
    roster: rosterRecord(roster),
    statements,
  })
}

/** Shares of runs that cannot be completed would block the next resharing. */
async function abandonRest(
  epochs: readonly Epoch[],
  statuses: readonly MemberStatus[],
  signal: AbortSignal,
): Promise<void> {
  const complete = new Set(epochs.map(({ certificate }) => certificate.session))
  await Promise.allSettled(
    statuses.map(async ({ member, status }) => {
      if (!status?.next || complete.has(status.next.session)) return
      const { session, roster } = status.next
      await member.settle({ action: 'abandon', session, roster }, signal)
    }),
  )
}

/** The statements of the members that answer; their signatures are not verified here. */
export async function statementsOf(
  from: readonly Pick<MemberStatus, 'member'>[],
  roster: Roster,
  signal: AbortSignal,
  request: SettleRequest,
): Promise<Statements> {
  const told = await Promise.allSettled(from.map(({ member }) => member.settle(request, signal)))
  return told.flatMap((one, at) => {
    const signed: Signed | null = one.status === 'fulfilled' ? one.value.signed : null
    const place = placeOf(roster, from[at]?.member.address as Address)
    return signed === null || place === 0 ? [] : [{ place, signed }]
  })
}

async function tell(
  to: readonly MemberStatus[],
  signal: AbortSignal,
  request: SettleRequest,
): Promise<void> {
  await Promise.allSettled(to.map(({ member }) => member.settle(request, signal)))
  signal.throwIfAborted()
}

/** All answers; if one fails, the error names its operator and the step. */
export async function everyone<T>(
  members: readonly KeyMember[],
  step: string,
  call: (member: KeyMember) => Promise<T>,
): Promise<T[]> {
  const settled = await Promise.allSettled(members.map((member) => call(member)))
  return settled.map((one, at) => {
    if (one.status === 'fulfilled') return one.value
    const reason = one.reason instanceof ThresholdError ? one.reason.code : 'run'
    throw new ThresholdError(
      reason,
      `${members[at]?.address} in step ${step}: ${textOf(one.reason)}`,
      { hint: 'Check the operator in the message, then retry.', cause: one.reason },
    )
  })
}

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'failed'
