import type { Address } from 'polgate-protocol/scalars.ts'
import { type Epoch, everyone, isOf, type LifecycleOptions, readStatuses } from './keyEpochs.ts'
import type { KeyMember } from './keyHolder.ts'
import type { RecoverRequest } from './keyLifecycle.ts'
import { type RecoveryPlan, recovered } from './recovery.ts'
import { requireEpoch } from './reshareKey.ts'
import { placeOf } from './roster.ts'
import { readMessage, type Signed } from './signed.ts'
import { rosterRecord } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

/**
 * Has other members restore the share of one that has lost it, or that has missed a resharing. The
 * key, its epoch and the other shares stay. It can be repeated: a member that has its share already
 * refuses.
 *
 * @param without members that shall not help, for instance one that sent wrong messages before
 * @throws ThresholdError `state` if too few members can help; `dealer` with a member at fault
 */
export async function recoverShare(
  options: LifecycleOptions,
  address: Address,
  without: readonly Address[] = [],
): Promise<Epoch> {
  const { random, signal } = options
  const current = await requireEpoch(options)
  const { roster, certificate, key } = current
  const lost = placeOf(roster, address)
  const statuses = await readStatuses(options)
  const found = statuses.find((one) => isOf(one, address))
  if (lost === 0 || found === undefined)
    throw new ThresholdError('state', `${address} is not in the roster of the key`, {
      hint: 'Add it by a resharing.',
    })
  const excluded = new Set([address, ...without].map((one) => one.toLowerCase()))
  const able = roster.members.flatMap((member, at) => {
    const one = statuses.find((each) => isOf(each, member.address))
    const holds = one?.status?.session === certificate.session && one.status.final
    return one === undefined || !holds || excluded.has(member.address.toLowerCase())
      ? []
      : [{ place: at + 1, member: one.member }]
  })
  if (able.length < roster.needed)
    throw new ThresholdError(
      'state',
      `${able.length} of ${roster.needed} needed other operators can help to recover the share`,
      { hint: 'Start the operators that are down, or restore the share from a backup.' },
    )
  const helping = able.slice(0, roster.needed)
  const helpers = helping.map(({ member }) => member)
  const plan: RecoveryPlan = {
    id: Buffer.from(random(32)).toString('hex'),
    certificate,
    roster: rosterRecord(roster),
    lost,
    helpers: helping.map(({ place }) => place),
  }
  const step = (
    who: readonly KeyMember[],
    name: RecoverRequest['step'],
    messages: readonly Signed[] = [],
    earlier: readonly Signed[] = [],
  ) =>
    everyone(who, name, (member) =>
      member.recover({ plan, step: name, messages: [...messages], earlier: [...earlier] }, signal),
    )
  const keys = await step([...helpers, found.member], 'transport')
  const pieces = await step(helpers, 'split', keys)
  const sums = await step(helpers, 'sum', pieces)
  const [said] = await step([found.member], 'restore', pieces, sums)
  const member = roster.members[lost - 1] as (typeof roster.members)[number]
  readMessage(recovered, key.session.digest, said as Signed, member)
  return current
}
