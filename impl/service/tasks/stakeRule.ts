import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { type QuorumTally, quorumReached, requiredStake } from '../attestation/quorum.ts'
import type { StakeRule } from './settle.ts'

export type Stakes = StakeRule & {
  /** Stake in the first quorum that is not reached, else in the first quorum (section 2.8). */
  readonly standing: (operators: readonly Bytes32[]) => {
    readonly signed: bigint
    readonly required: bigint
  }
}

/** Decision T7 for sets of operators, before any of them has signed. Each counts once. */
export function stakesOf(set: OperatorSet, threshold: number): Stakes {
  const byId = new Map(
    set.operators.map(({ operatorId, stakes }) => [operatorId.toLowerCase(), stakes]),
  )
  const once = (ids: readonly Bytes32[]) => [...new Set(ids.map((id) => id.toLowerCase()))]
  const tallies = (operators: readonly Bytes32[]): QuorumTally[] =>
    set.quorums.map(({ quorumNumber, totalStake }, at) => ({
      quorumNumber,
      totalStake,
      signedStake: sum(once(operators).map((id) => byId.get(id)?.[at] ?? 0n)),
    }))
  const holds = (tally: QuorumTally) => quorumReached(tally, threshold)
  return {
    // Without a signature there is no attestation, even if a threshold of 0 requires no stake.
    reached: (operators) => operators.length > 0 && tallies(operators).every(holds),
    weight: (operators) => sum(tallies(operators).map(({ signedStake }) => signedStake)),
    standing: (operators) => {
      const all = tallies(operators)
      const { signedStake, totalStake } = all.find((tally) => !holds(tally)) ?? all[0]!
      return { signed: signedStake, required: requiredStake(totalStake, threshold) }
    },
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
