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

/** Posts the response to a posted task; the contract verifies it first (decision T10). @throws ChainWriteError */
export function postResponse(
  transactor: Transactor,
  taskManager: Address,
  answer: { readonly task: Task; readonly response: TaskResponse; readonly signatureData: Hex },
): Promise<TransactionReceipt> {
  return transactor.write({
    address: taskManager,
    abi: taskManagerAbi,
    functionName: 'respondToTask',
    args: [answer.task, answer.response, answer.signatureData],
    gas: gasBound(answer),
  })
}

/**
 * Far above the cost of a response (some 350,000, plus that of its bytes), below the limit of a
 * block.
 */
function gasBound({ response, signatureData }: { response: TaskResponse; signatureData: Hex }) {
  const data = response.policyTaskData.policyData.map((entry) => entry.data + entry.wasmArgs)
  const { intent, evaluationResult, policyConfig } = response
  const parts = [signatureData, intent.data, evaluationResult, policyConfig.policyParams, ...data]
  const digits = parts.join('')
  const bound = 1_500_000n + 150n * BigInt(digits.length)
  return bound < 25_000_000n ? bound : 25_000_000n
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
