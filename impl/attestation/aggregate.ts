import type { Hex } from 'viem'
import type { OperatorAtBlock, OperatorSet } from '../../chain/operatorSet.ts'
import { isG1Point, sumG1, sumG2, verifySignature } from './bls.ts'
import { type QuorumTally, quorumReached } from './quorum.ts'
import { encodeSignatureData } from './signatureData.ts'
import type { NonSignerStakesAndSignature, OperatorSignature } from './types.ts'

export interface AggregationRequest {
  /** `task_response_digest`, 32 bytes. */
  readonly digest: Hex
  /** As it was at the reference block. */
  readonly operatorSet: OperatorSet
  /** 0 to 100. */
  readonly thresholdPercentage: number
  readonly signatures: readonly OperatorSignature[]
}

export type InvalidSignatureReason = 'unknown-operator' | 'duplicate' | 'invalid-signature'

interface Counted {
  readonly quorums: readonly QuorumTally[]
  /** Ids of the operators whose signatures count. */
  readonly signers: readonly Hex[]
  readonly nonSigners: readonly Hex[]
  /** Signatures that were not counted, and why. */
  readonly rejected: readonly {
    readonly operatorId: Hex
    readonly reason: InvalidSignatureReason
  }[]
}

export interface ReachedAggregation extends Counted {
  readonly reached: true
  readonly evidence: NonSignerStakesAndSignature
  readonly signatureData: Hex
}

export interface UnreachedAggregation extends Counted {
  readonly reached: false
}

interface Signer {
  readonly operator: OperatorAtBlock
  readonly signature: OperatorSignature['signature']
  /** In how many of the quorums it is: that often its key is in the sum of aggregate keys. */
  readonly weight: number
}

/**
 * Adds signatures up to one that the contract verifies, if they hold the quorum (decisions C5, T7).
 * The sum alone is verified; signatures are looked at one by one only when it does not hold, and
 * those that are wrong are left out. Without any signer nothing is attested, also at threshold 0.
 */
export function aggregateSignatures(
  request: AggregationRequest,
): ReachedAggregation | UnreachedAggregation {
  const { digest, operatorSet, thresholdPercentage } = request
  const { candidates, rejected } = admit(request)
  let signers = candidates
  let sum = signers.length === 0 ? undefined : sumUp(signers)
  if (sum !== undefined && !verifySignature(digest, sum.sigma, sum.apkG2)) {
    signers = candidates.filter(({ operator, signature }) => {
      const valid = verifySignature(digest, signature, operator.pubkeyG2)
      if (!valid) rejected.push({ operatorId: operator.operatorId, reason: 'invalid-signature' })
      return valid
    })
    sum = signers.length === 0 ? undefined : sumUp(signers)
  }
  const signed = new Set(signers.map(({ operator }) => operator.operatorId))
  const nonSigners = operatorSet.operators
    .filter(({ operatorId }) => !signed.has(operatorId))
    .sort((a, b) => (BigInt(a.operatorId) < BigInt(b.operatorId) ? -1 : 1))
  const counted: Counted = {
    quorums: tally(operatorSet, nonSigners),
    signers: [...signed],
    nonSigners: nonSigners.map(({ operatorId }) => operatorId),
    rejected,
  }
  const reached = counted.quorums.every((quorum) => quorumReached(quorum, thresholdPercentage))
  if (sum === undefined || !reached) return { ...counted, reached: false }
  const evidence = { ...sum, ...indices(operatorSet, nonSigners) }
  return { ...counted, reached: true, evidence, signatureData: encodeSignatureData(evidence) }
}

function admit({ operatorSet, signatures }: AggregationRequest) {
  const operators = new Map(
    operatorSet.operators.map((operator) => [operator.operatorId, operator]),
  )
  const candidates = new Map<Hex, Signer>()
  const rejected: { operatorId: Hex; reason: InvalidSignatureReason }[] = []
  for (const { operatorId, signature } of signatures) {
    const operator = operators.get(operatorId)
    if (operator === undefined) rejected.push({ operatorId, reason: 'unknown-operator' })
    else if (candidates.has(operatorId)) rejected.push({ operatorId, reason: 'duplicate' })
    else if (!isG1Point(signature)) rejected.push({ operatorId, reason: 'invalid-signature' })
    else
      candidates.set(operatorId, { operator, signature, weight: weightOf(operator, operatorSet) })
  }
  return { candidates: [...candidates.values()], rejected }
}

function sumUp(signers: readonly Signer[]) {
  return {
    sigma: sumG1(signers.map(({ signature, weight }) => ({ point: signature, weight }))),
    apkG2: sumG2(signers.map(({ operator, weight }) => ({ point: operator.pubkeyG2, weight }))),
  }
}

function tally(set: OperatorSet, nonSigners: readonly OperatorAtBlock[]): QuorumTally[] {
  return set.quorums.map(({ quorumNumber, totalStake }, position) => ({
    quorumNumber,
    totalStake,
    signedStake: nonSigners.reduce(
      (signed, operator) => signed - (operator.stakes[position] ?? 0n),
      totalStake,
    ),
  }))
}

function indices(set: OperatorSet, nonSigners: readonly OperatorAtBlock[]) {
  return {
    nonSignerQuorumBitmapIndices: nonSigners.map((operator) => operator.quorumBitmapIndex),
    nonSignerPubkeys: nonSigners.map((operator) => operator.pubkeyG1),
    quorumApks: set.quorums.map((quorum) => quorum.apk),
    quorumApkIndices: set.quorums.map((quorum) => quorum.apkIndex),
    totalStakeIndices: set.quorums.map((quorum) => quorum.totalStakeIndex),
    nonSignerStakeIndices: set.quorumNumbers.map((quorumNumber, position) =>
      nonSigners
        .filter((operator) => isIn(operator, quorumNumber))
        .map((operator) => operator.stakeIndices[position] ?? 0),
    ),
  }
}

function weightOf(operator: OperatorAtBlock, set: OperatorSet): number {
  return set.quorumNumbers.filter((quorumNumber) => isIn(operator, quorumNumber)).length
}

function isIn(operator: OperatorAtBlock, quorumNumber: number): boolean {
  return ((operator.quorumBitmap >> BigInt(quorumNumber)) & 1n) === 1n
}
