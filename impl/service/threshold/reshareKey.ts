import { openCertificate } from './groupKey.ts'
import { activated, signers } from './holderState.ts'
import {
  type Epoch,
  everyone,
  finalizeAll,
  isOf,
  type LifecycleOptions,
  readStatuses,
  settleEpochs,
  statementsOf,
} from './keyEpochs.ts'
import type { KeyMember } from './keyHolder.ts'
import type { ReshareRequest } from './keyLifecycle.ts'
import type { ResharePlan } from './resharePlan.ts'
import { checkRoster, type Member, placeOf, type Roster } from './roster.ts'
import type { Signed } from './signed.ts'
import { rosterRecord } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

/**
 * Reshares the key to a roster: by default the next one of the configuration, `same` for that in use,
 * which is a refresh. Shares of earlier epochs are then useless; the public key stays. It needs every member of the next roster, and as many of the
 * current one as a decryption.
 *
 * The coordinator only relays messages, as in `findOrMakeKey`. Whenever it or a member crashes, the
 * key stays usable, and `settleEpochs` completes the resharing or abandons it; every later resharing
 * does that first.
 *
 * @returns the next epoch
 * @throws ThresholdError `state` if operators are missing; `dealer` and `run` from a failed run
 */
export async function reshareKey(
  options: LifecycleOptions,
  wanted?: Roster | 'same',
): Promise<Epoch> {
  const { random, signal } = options
  const current = await requireEpoch(options)
  const to = wanted === 'same' ? current.roster : (wanted ?? options.rules.next ?? current.roster)
  checkRoster(to)
  const statuses = await readStatuses(options)
  const memberOf = ({ address }: Pick<Member, 'address'>): KeyMember => {
    const found = statuses.find((one) => isOf(one, address))
    if (found?.status !== undefined) return found.member
    const problem = found?.problem ?? 'not an operator of this gateway'
    throw new ThresholdError('state', `a resharing needs ${address} (${problem})`, {
      hint: 'Start this operator, or reshare to a roster without it.',
    })
  }
  const receivers = to.members.map(memberOf)
  const places = current.roster.members.flatMap(({ address }, at) =>
    statuses.some(
      (one) =>
        isOf(one, address) &&
        one.status?.session === current.certificate.session &&
        one.status.final,
    )
      ? [at + 1]
      : [],
  )
  if (places.length < current.roster.needed)
    throw new ThresholdError(
      'state',
      `${places.length} of ${current.roster.needed} needed operators hold a final share`,
      { hint: 'Start the operators that are down, then retry.' },
    )
  const dealers = places.map((at) => memberOf(current.roster.members[at - 1] as Member))
  const plan: ResharePlan = {
    session: Buffer.from(random(32)).toString('hex'),
    certificate: current.certificate,
    from: rosterRecord(current.roster),
    to: rosterRecord(to),
    dealers: places,
  }
  const step = (
    who: readonly KeyMember[],
    name: ReshareRequest['step'],
    messages: readonly Signed[] = [],
    earlier: readonly Signed[] = [],
  ) =>
    everyone(who, name, (member) =>
      member.reshare({ plan, step: name, messages: [...messages], earlier: [...earlier] }, signal),
    )
  const keys = await step(receivers, 'transport')
  const deals = await step(dealers, 'deal', keys)
  const complaints = await step(receivers, 'check', deals, keys)
  const answers = await step(dealers, 'answer', complaints)
  const confirmations = await step(receivers, 'finish', answers, complaints)
  return use(options, plan, confirmations, current)
}

/** Has the members use an epoch that all of them have confirmed, then delete the one before. */
async function use(
  options: LifecycleOptions,
  plan: ResharePlan,
  confirmations: readonly Signed[],
  current: Epoch,
): Promise<Epoch> {
  const { signal } = options
  const { session, to: roster } = plan
  const after = await readStatuses(options)
  const inRoster = after.filter(({ member }) => placeOf(roster, member.address) > 0)
  const { commitments } =
    inRoster.find(({ status }) => status?.next?.session === session)?.status?.next ?? {}
  if (commitments === undefined)
    throw new ThresholdError('run', 'no operator reports the share that it confirmed')
  const certificate = { session, commitments, confirmations: [...confirmations] }
  const key = openCertificate(certificate, roster)
  if (key.publicKey !== current.key.publicKey || key.parent !== current.certificate.session)
    throw new ThresholdError('run', 'the operators confirmed another key')
  const statements = await statementsOf(inRoster, roster, signal, {
    action: 'activate',
    session,
    confirmations: [...confirmations],
  })
  const users = signers(activated, { session, roster, statements })
  if (users < roster.needed)
    throw new ThresholdError(
      'state',
      `${users} of ${roster.needed} needed operators use the next epoch; the one before is kept`,
      { hint: 'Start the operators that are down, then retry: the resharing is completed first.' },
    )
  await finalizeAll({ certificate, roster }, statements, after, signal)
  return { key, certificate, roster, users: inRoster, waiting: [], final: true }
}

/** The epoch in use. @throws ThresholdError `state` if there is none */
export async function requireEpoch(options: LifecycleOptions): Promise<Epoch> {
  const current = await settleEpochs(options)
  if (current !== undefined) return current
  throw new ThresholdError('state', 'the operators have no shared privacy key yet', {
    hint: 'Start every operator; the gateway then creates one.',
  })
}
