import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { NeedCheck } from './gateway/readiness.ts'
import { defaultQuorum, parseQuorumNumbers } from './tasks/quorumNumbers.ts'
import { stakesOf } from './tasks/stakeRule.ts'
import type { TaskChain } from './tasks/taskChain.ts'

export type OperatorQuorumDeps = {
  readonly chain: Pick<TaskChain, 'operatorSet'>
  /** The latest block that is known. */
  readonly latestBlock: () => number | undefined
  /** The operators that answer. */
  readonly answering: () => readonly Bytes32[]
}

/**
 * Whether the operators that answer have the stake of a default quorum. The registrations of another
 * block are read beside: a node that does not answer is reported by the chain.
 */
export function operatorQuorum(deps: OperatorQuorumDeps): NeedCheck {
  const { numbers } = parseQuorumNumbers(defaultQuorum.numbers)
  let known: { readonly block: number; readonly set: OperatorSet } | undefined
  let reading: Promise<void> | undefined

  function read(block: number): Promise<void> {
    reading ??= deps.chain
      .operatorSet(numbers, block)
      .then((set) => {
        known = { block, set }
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  return async () => {
    const latest = deps.latestBlock()
    if (latest !== undefined && latest !== known?.block) {
      if (known === undefined) await read(latest)
      else read(latest).catch(() => {})
    }
    if (known === undefined) return undefined
    const answering = deps.answering()
    const stakes = stakesOf(known.set, defaultQuorum.threshold)
    if (stakes.reached(answering)) return undefined
    const { signed, required } = stakes.standing(answering)
    return `those that answer (${answering.length}) have a stake of ${signed}, the default quorum requires ${required}`
  }
}
