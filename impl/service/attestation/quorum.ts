/** Signed and total stake of a quorum, in the registry's unit. */
export type QuorumTally = {
  readonly quorumNumber: number
  readonly signedStake: bigint
  readonly totalStake: bigint
}

/**
 * Whether enough of a quorum signed: signedStake × 100 ≥ totalStake × threshold (decision T7). A
 * quorum without stake is never reached.
 *
 * @param thresholdPercentage 0 to 100.
 */
export function quorumReached(tally: QuorumTally, thresholdPercentage: number): boolean {
  if (tally.totalStake === 0n) return false
  return tally.signedStake * 100n >= tally.totalStake * BigInt(thresholdPercentage)
}

/** The least stake that reaches the threshold (`required_stake` of section 2.8). */
export function requiredStake(totalStake: bigint, thresholdPercentage: number): bigint {
  return (totalStake * BigInt(thresholdPercentage) + 99n) / 100n
}
