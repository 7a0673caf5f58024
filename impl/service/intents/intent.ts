import { keccak256 } from 'polgate-chain/keccak256.ts'
import { type IntentMessage, intentTypes } from 'polgate-lib/intents/intentTypedData.ts'
import type { IntentView, TaskIntent } from 'polgate-protocol/intent.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { encodeAbiParameters, toHex } from 'viem'

/** A proposed transaction in parsed form (section 2.2). Hex is lower case. */
export type Intent = IntentMessage

const lower = <T extends string>(text: T): T => text.toLowerCase() as T

/** Parses the intent of a caller that has passed the schema of section 2.2. */
export const parseIntent = (wire: TaskIntent): Intent => ({
  from: lower(wire.from),
  to: lower(wire.to),
  value: BigInt(wire.value),
  data: lower(wire.data),
  chainId: BigInt(wire.chain_id),
  functionSignature: lower(wire.function_signature),
})

/** The intent in results: camelCase, numbers as `Quantity` (decision T13). */
export const intentView = (intent: Intent): IntentView => ({
  from: intent.from,
  to: intent.to,
  value: toHex(intent.value),
  data: intent.data,
  chainId: toHex(intent.chainId),
  functionSignature: intent.functionSignature,
})

/**
 * keccak256 of the ABI-encoded intent (decision T1): the encoding of the tuple itself, without the
 * offset of a nested tuple, as in the contract's `taskIdOf`.
 */
export const intentHash = ({
  from,
  to,
  value,
  data,
  chainId,
  functionSignature,
}: Intent): Bytes32 =>
  keccak256(
    encodeAbiParameters(intentTypes.Intent, [from, to, value, data, chainId, functionSignature]),
  )

export type TaskIdParts = {
  readonly chainId: bigint
  readonly policyClient: Address
  readonly intentHash: Bytes32
  /** uint32: number of earlier tasks of this client and intent hash (decision T2). */
  readonly nonce: number
  /** uint32: the reference block, from which the expiry is counted (decision T9). */
  readonly taskCreatedBlock: number
}

const taskIdTypes = [
  { type: 'uint256' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'uint32' },
  { type: 'uint32' },
] as const

/**
 * Decision T3. Signed as part of the response, so that none of its inputs can change afterwards.
 */
export const taskId = (parts: TaskIdParts): Bytes32 =>
  keccak256(
    encodeAbiParameters(taskIdTypes, [
      parts.chainId,
      lower(parts.policyClient),
      parts.intentHash,
      parts.nonce,
      parts.taskCreatedBlock,
    ]),
  )
