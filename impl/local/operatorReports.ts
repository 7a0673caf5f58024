import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { OperatorReport, QuorumReport } from 'polgate-protocol/control/operators.ts'
import { defaultQuorum } from 'polgate-service/tasks/quorumNumbers.ts'
import type { OperatorFaults } from './operatorFaults.ts'
import type { OperatorStatistics } from './operatorStatistics.ts'
import type { OperatorSwitch } from './operatorSwitch.ts'
import { quorumEffects } from './quorumEffects.ts'

export type OperatorParts = {
  readonly operators: readonly OperatorSwitch[]
  /** The registered operators of the default quorum; absent where no registry is known. */
  readonly operatorSet?: (() => Promise<OperatorSet>) | undefined
  /** Lets operators in this process delay, lie and refuse. */
  readonly faults?: Pick<OperatorFaults, 'of' | 'set'> | undefined
  readonly statistics?: Pick<OperatorStatistics, 'of'> | undefined
}

/** Operators whose answers count for a task. */
const truthful: ReadonlySet<string> = new Set(['none', 'delay'])

/** Why operators cannot be given faults; undefined if they can. */
export const withoutFaults = ({ faults }: OperatorParts): string | undefined =>
  faults === undefined
    ? 'only operators in the process of the stack take faults; others can be stopped and started'
    : undefined

/** The operators of the stack. Never rejects: without a node, stakes are null. */
export async function operatorReports(parts: OperatorParts): Promise<OperatorReport[]> {
  const set = await parts.operatorSet?.().catch(() => undefined)
  const stakes = set === undefined ? undefined : stakesOf(set)
  const weight = (address: string) => stakes?.get(address.toLowerCase()) ?? 1n
  return parts.operators.map((operator, index) => {
    const { address, id, running, pid } = operator
    const stake = stakes === undefined ? null : (stakes.get(address.toLowerCase()) ?? 0n)
    const noFaults = withoutFaults(parts)
    const activity = parts.statistics?.of(address, weight)
    return {
      ...{ index, address, id, running },
      ...(pid === undefined ? {} : { pid }),
      stake: stake === null ? null : String(stake),
      registered: stake === null ? null : stake > 0n,
      fault: parts.faults?.of(address) ?? { kind: 'none' },
      ...(noFaults === undefined ? {} : { noFaults }),
      ...(activity === undefined ? {} : { activity }),
    }
  })
}

/**
 * Whether the default quorum holds, now and with changes.
 *
 * @throws ChainReadError
 */
export async function quorumReport(
  parts: OperatorParts,
  threshold: number = defaultQuorum.threshold,
): Promise<QuorumReport | undefined> {
  const set = await parts.operatorSet?.()
  const quorum = set?.quorums[0]
  if (set === undefined || quorum === undefined) return undefined
  const stakes = stakesOf(set)
  const members = parts.operators.map(({ address, running }, index) => ({
    index,
    stake: stakes.get(address.toLowerCase()) ?? 0n,
    counts: running && truthful.has(parts.faults?.of(address).kind ?? 'none'),
  }))
  const { quorumNumber, totalStake: total } = quorum
  return quorumEffects({ quorumNumber, total, threshold }, members)
}

/** Stakes in the first quorum, by address in lower case. */
const stakesOf = ({ operators }: OperatorSet): ReadonlyMap<string, bigint> =>
  new Map(operators.map(({ account, stakes }) => [account.toLowerCase(), stakes[0] ?? 0n]))
