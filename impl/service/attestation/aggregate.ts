import type { OperatorAtBlock, OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { Hex } from 'viem'
import { checkedPoint2 } from './bls.ts'
import {
  add1,
  add2,
  fromPoint1,
  fromPoint2,
  isSignature,
  type Point1,
  subtract1,
  subtract2,
  toPoint1,
} from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import { findInvalidSignatures, type Share } from './invalidSignatures.ts'
import { type QuorumTally, quorumReached } from './quorum.ts'
import { encodeSignatureData } from './signatureData.ts'
import type { NonSignerStakesAndSignature, OperatorSignature } from './types.ts'
import { runSync } from './yielding.ts'

export type AggregationRequest = {
  /** `task_response_digest`, 32 bytes. */
  readonly digest: Hex
  /** At the reference block. */
  readonly operatorSet: OperatorSet
  /** 0 to 100. */
  readonly thresholdPercentage: number
  readonly signatures: readonly OperatorSignature[]
}

/**
 * - `no-point`: off the curve, or with a coordinate that is not below the field modulus
 * - `infinity`: the identity, which is never a valid signature
 * - `wrong-signature`: a point that does not verify against the operator's key over the digest
 * - `duplicate`: another signature of the same operator counts
 */
export type RejectionReason =
  | 'unknown-operator'
  | 'duplicate'
  | 'no-point'
  | 'infinity'
  | 'wrong-signature'

export type Rejection = {
  readonly operatorId: Hex
  readonly reason: RejectionReason
}

type Counted = {
  readonly quorums: readonly QuorumTally[]
  /** Ids of the operators whose signatures count. */
  readonly signers: readonly Hex[]
  readonly nonSigners: readonly Hex[]
  /** Signatures that do not count, with the reasons. */
  readonly rejected: readonly Rejection[]
  /** Number of pairing checks: one if all signatures are valid. */
  readonly checks: number
}

export interface ReachedAggregation extends Counted {
  readonly reached: true
  readonly evidence: NonSignerStakesAndSignature
  readonly signatureData: Hex
}

export interface UnreachedAggregation extends Counted {
  readonly reached: false
}

export type Aggregation = ReachedAggregation | UnreachedAggregation

/**
 * Aggregates signatures to one that the contract verifies, if they hold the quorum (decisions C5,
 * T7). Only the sum is verified; if it is invalid, invalid signatures are found by bisection and
 * excluded. Without a signer there is no attestation, even at threshold 0.
 */
export const aggregateSignatures = (request: AggregationRequest): Aggregation =>
  runSync(aggregation(request))

/** The same in steps of one pairing check each, for `runYielding`. */
export function* aggregation(request: AggregationRequest): Generator<undefined, Aggregation> {
  const { digest, operatorSet, thresholdPercentage } = request
  const { candidates, rejected } = admit(request)
  const message = toPoint1(hashToCurve(digest))
  const shares = candidates.map(shareOf)
  const search = yield* findInvalidSignatures(message, shares)
  let { checks } = search
  let { signature: sigma, key: apkG2 } = search.sum
  const wrong = new Set<Hex>()
  for (const position of search.invalidSignatures) {
    const candidate = candidates[position]
    const share = shares[position]
    if (candidate === undefined || share === undefined) continue
    sigma = subtract1(sigma, share.signature)
    const { operatorId } = candidate.operator
    const right = candidate.spare.find((signature) => {
      checks += 1
      return isSignature(signature, message, checkedPoint2(candidate.operator.pubkeyG2))
    })
    if (right !== undefined) {
      sigma = add1(sigma, shareOf({ ...candidate, signature: right }).signature)
    } else {
      apkG2 = subtract2(apkG2, share.key)
      wrong.add(operatorId)
      rejected.push({ operatorId, reason: 'wrong-signature' })
    }
  }
  const signers = candidates
    .map(({ operator }) => operator.operatorId)
    .filter((id) => !wrong.has(id))
  const signed = new Set(signers)
  const nonSigners = operatorSet.operators
    .filter(({ operatorId }) => !signed.has(operatorId))
    .sort((a, b) => (BigInt(a.operatorId) < BigInt(b.operatorId) ? -1 : 1))
  const counted: Counted = {
    quorums: tally(operatorSet, nonSigners),
    signers,
    nonSigners: nonSigners.map(({ operatorId }) => operatorId),
    rejected,
    checks,
  }
  const reached = counted.quorums.every((quorum) => quorumReached(quorum, thresholdPercentage))
  // If the signers' keys add up to zero, the contract rejects the attestation (no signers).
  if (!reached || signers.length === 0 || apkG2.isZero()) return { ...counted, reached: false }
  const sum = { sigma: fromPoint1(sigma), apkG2: fromPoint2(apkG2) }
  const evidence = { ...sum, ...indices(operatorSet, nonSigners) }
  return { ...counted, reached: true, evidence, signatureData: encodeSignatureData(evidence) }
}

type Candidate = {
  readonly operator: OperatorAtBlock
  readonly signature: Point1
  /** Further signatures of the same operator; used if the first is invalid. */
  readonly spare: Point1[]
  /** Number of quorums of the operator: how often its key counts in the sum of aggregate keys. */
  readonly weight: number
}

function admit({ operatorSet, signatures }: AggregationRequest) {
  const operators = new Map(
    operatorSet.operators.map((operator) => [operator.operatorId, operator]),
  )
  const candidates = new Map<Hex, Candidate>()
  const rejected: Rejection[] = []
  for (const { operatorId, signature: given } of signatures) {
    const operator = operators.get(operatorId)
    const point = readPoint1(given)
    const known = candidates.get(operatorId)
    if (operator === undefined) rejected.push({ operatorId, reason: 'unknown-operator' })
    else if (point === undefined) rejected.push({ operatorId, reason: 'no-point' })
    else if (point.isZero()) rejected.push({ operatorId, reason: 'infinity' })
    else if (known !== undefined) {
      rejected.push({ operatorId, reason: 'duplicate' })
      known.spare.push(point)
    } else {
      const weight = weightOf(operator, operatorSet)
      candidates.set(operatorId, { operator, signature: point, spare: [], weight })
    }
  }
  return { candidates: [...candidates.values()], rejected }
}

function shareOf({ operator, signature, weight }: Candidate): Share {
  const times = <Point>(point: Point, add: (a: Point, b: Point) => Point): Point =>
    Array.from({ length: weight - 1 }).reduce<Point>((sum) => add(sum, point), point)
  return {
    signature: times(signature, add1),
    key: times(checkedPoint2(operator.pubkeyG2), add2),
  }
}

function readPoint1(point: OperatorSignature['signature']): Point1 | undefined {
  try {
    return toPoint1(point)
  } catch {
    return undefined
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
