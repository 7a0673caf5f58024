import type { QuorumReport, QuorumStanding } from 'polgate-protocol/control/operators.ts'
import { quorumReached, requiredStake } from 'polgate-service/attestation/quorum.ts'

export type QuorumMember = {
  readonly index: number
  readonly stake: bigint
  /** Whether it runs, and signs truthfully. */
  readonly counts: boolean
}

/**
 * Whether a quorum holds now, and with a change of each operator (decision T7).
 *
 * @param quorum `total`: stake of all operators that are registered, also of those not in `members`
 */
export function quorumEffects(
  quorum: { readonly quorumNumber: number; readonly total: bigint; readonly threshold: number },
  members: readonly QuorumMember[],
): QuorumReport {
  const { quorumNumber, total, threshold } = quorum
  const counting = members.reduce((sum, { counts, stake }) => sum + (counts ? stake : 0n), 0n)
  const standing = (signedStake: bigint): QuorumStanding => ({
    stake: String(signedStake),
    // Without a signer there is no attestation, even at a threshold of 0.
    holds:
      signedStake > 0n &&
      quorumReached({ quorumNumber, signedStake, totalStake: total }, threshold),
  })
  return {
    ...{ quorumNumber, threshold, total: String(total) },
    required: String(requiredStake(total, threshold)),
    now: standing(counting),
    operators: members.map(({ index, stake, counts }) => ({
      ...{ index, stake: String(stake), counts },
      without: standing(counting - (counts ? stake : 0n)),
      with: standing(counting + (counts ? 0n : stake)),
    })),
  }
}
