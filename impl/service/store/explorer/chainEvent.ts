import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'

/** A block in the index; `timestamp` in unix seconds. */
export type IndexedBlock = {
  readonly number: number
  readonly hash: Bytes32
  readonly timestamp: number
}

type At = {
  readonly blockNumber: number
  /** Index within the block, not the transaction: together with the block number it is unique. */
  readonly logIndex: number
  readonly transactionHash: Bytes32
}

/**
 * One event of the contracts that the explorer follows (decision C12). Its content is JSON as the
 * explorer shows it: bytes and wide integers as hex, but the chain id of an intent as a number
 * (section 2.2).
 */
export type ChainEvent = At &
  (
    | {
        readonly kind: 'created'
        readonly taskId: Bytes32
        readonly policyClient: Address
        readonly sender: Address
        /** The block that the task names (`taskCreatedBlock`); the event is in a later one. */
        readonly createdBlock: number
        readonly intent: Readonly<Record<string, unknown>>
      }
    | {
        readonly kind: 'responded'
        readonly taskId: Bytes32
        readonly policyId: Bytes32
        readonly policyAddress: Address
        readonly evaluationResult: `0x${string}`
        readonly policyConfig: Readonly<Record<string, unknown>>
        readonly policyTaskData: Readonly<Record<string, unknown>>
        /** As `ResponseCertificateView`. */
        readonly certificate: Readonly<Record<string, unknown>>
      }
    | {
        readonly kind: 'spent'
        readonly taskId: Bytes32
        readonly policyClient: Address
        readonly allowed: boolean
      }
    | {
        readonly kind: 'challenged'
        readonly taskId: Bytes32
        readonly challenger: Address
        readonly successful: boolean
      }
    | {
        readonly kind: 'policyDeployed'
        readonly policy: Address
        /** As `PolicyInfoView`. */
        readonly info: Readonly<Record<string, unknown>>
      }
  )
