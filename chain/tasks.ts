import type { Address, Hex, TransactionReceipt } from 'viem'
import { taskManagerAbi } from './artifacts/abis.ts'
import type { Transactor } from './transactor.ts'
import type { Task, TaskResponse } from './types.ts'

/**
 * Posts a task, which fixes its threshold, quorums and reference block (decision T10). @throws
 * ChainWriteError
 */
export function postTask(
  transactor: Transactor,
  taskManager: Address,
  task: Task,
): Promise<TransactionReceipt> {
  const call = { address: taskManager, abi: taskManagerAbi, functionName: 'createNewTask' } as const
  return transactor.write({ ...call, args: [task] })
}

/** Below the limit of a transaction on chains with EIP-7825, which is 16,777,216. */
export const maxTransactionGas = 16_000_000n

/** A task, its response and the signatures of it, in the form of the contract. */
export type OnChainAnswer = {
  readonly task: Task
  readonly response: TaskResponse
  readonly signatureData: Hex
}

/** Posts the response to a posted task; the contract verifies it first (decision T10). @throws ChainWriteError */
export function postResponse(
  transactor: Transactor,
  taskManager: Address,
  answer: OnChainAnswer,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: taskManager,
    abi: taskManagerAbi,
    functionName: 'respondToTask',
    args: [answer.task, answer.response, answer.signatureData],
    // Posted alone it may be unusually expensive: no other result shares this gas.
    gas: 2n * gasBound(answer),
  })
}

/**
 * Gas that posting a task and its response costs at most, in usual cases: some 330,000, and less than
 * 160 for each byte, also for those of operators that did not sign. A transaction reserves it, so a
 * much higher bound would leave room for fewer results in a block.
 */
export function gasBound({ response, signatureData }: OnChainAnswer): bigint {
  const data = response.policyTaskData.policyData.map((entry) => entry.data + entry.wasmArgs)
  const { intent, evaluationResult, policyConfig } = response
  const parts = [signatureData, intent.data, evaluationResult, policyConfig.policyParams, ...data]
  const digits = parts.join('')
  // The data of an intent is sent three times, in the task of both calls and in the response.
  const bound = 700_000n + 80n * BigInt(digits.length) + 40n * BigInt(intent.data.length)
  return bound < maxTransactionGas / 2n ? bound : maxTransactionGas / 2n
}

/** Challenges a posted response with another one (decision C13). @throws ChainWriteError */
export function challengeTask(
  transactor: Transactor,
  taskManager: Address,
  challenge: { readonly task: Task; readonly evidence: TaskResponse; readonly signatureData: Hex },
): Promise<TransactionReceipt> {
  return transactor.write({
    address: taskManager,
    abi: taskManagerAbi,
    functionName: 'challengeTask',
    args: [challenge.task, challenge.evidence, challenge.signatureData],
  })
}
