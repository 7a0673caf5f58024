import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { encodeFunctionData, type Hex } from 'viem'
import type { Task, TaskResponse } from './types.ts'

/** The arguments of `validateAttestationDirect`. */
export type Attestation = {
  /** Its `taskCreatedBlock` is the reference block of the operator set (decision T9). */
  readonly task: Task
  readonly response: TaskResponse
  /** `signature_data` (decision C6). */
  readonly signatureData: Hex
}

/** `validate_calldata` of section 2.5: the whole call, selector 0x882d309e. */
export function validateCalldata({ task, response, signatureData }: Attestation): Hex {
  return encodeFunctionData({
    abi: taskManagerAbi,
    functionName: 'validateAttestationDirect',
    args: [task, response, signatureData],
  })
}
