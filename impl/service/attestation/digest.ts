import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { keccak256 } from 'polgate-chain/keccak256.ts'
import { encodeAbiParameters, getAbiItem, type Hex } from 'viem'
import type { TaskResponse } from './types.ts'

const { inputs } = getAbiItem({ abi: taskManagerAbi, name: 'responseDigest' })

/**
 * `task_response_digest`, which operators sign: keccak256(abi.encode(TaskResponse)) with every data
 * attestation emptied, since attestations are collected separately (decision C2).
 */
export function responseDigest(response: TaskResponse): Hex {
  const policyData = response.policyTaskData.policyData.map((entry) => ({
    ...entry,
    attestation: '0x' as const,
  }))
  const signed = { ...response, policyTaskData: { ...response.policyTaskData, policyData } }
  return keccak256(encodeAbiParameters(inputs, [signed]))
}
