import type { G1Point, G2Point } from 'polgate-chain/types.ts'
import type { Hex } from 'viem'

export type {
  G1Point,
  G2Point,
  Intent,
  PolicyDataEntry,
  Task,
  TaskResponse,
} from 'polgate-chain/types.ts'

/** An aggregate signature with the data for its verification on chain (decision C6). */
export type NonSignerStakesAndSignature = {
  readonly nonSignerQuorumBitmapIndices: readonly number[]
  readonly nonSignerPubkeys: readonly G1Point[]
  readonly quorumApks: readonly G1Point[]
  readonly apkG2: G2Point
  readonly sigma: G1Point
  readonly quorumApkIndices: readonly number[]
  readonly totalStakeIndices: readonly number[]
  readonly nonSignerStakeIndices: readonly (readonly number[])[]
}

/** A signature of one operator. */
export type OperatorSignature = {
  /** Decision C4. */
  readonly operatorId: Hex
  readonly signature: G1Point
}
