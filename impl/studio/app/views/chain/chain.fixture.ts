import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  type Hex,
} from 'viem'
import type { Log } from './decode.ts'

export const idOf = (at: number): Hex => `0x${at.toString(16).padStart(64, '0')}`
export const client: Hex = `0x${'ab'.repeat(20)}`
const zero = idOf(0)
const empty: Hex = '0x'

const intent = {
  ...{ from: client, to: client, value: 2n ** 80n, data: empty, chainId: 1n },
  functionSignature: empty,
} as const

const taskOf = (taskId: Hex) =>
  ({
    ...{ taskId, policyClient: client, taskCreatedBlock: 7, nonce: 0n, intent },
    ...{ intentSignature: empty, wasmArgs: empty, quorumNumbers: '0x00' },
    quorumThresholdPercentage: 67,
  }) as const

const responseOf = (taskId: Hex) =>
  ({
    ...{ taskId, policyClient: client, policyId: zero, policyAddress: client, intent },
    ...{ intentSignature: empty, evaluationResult: idOf(1) },
    policyTaskData: { policyId: zero, policyAddress: client, policy: '0x', policyData: [] },
    policyConfig: { policyParams: '0x7b7d', expireAfter: 20 },
  }) as const

const manager = { abi: taskManagerAbi } as const
export const createCall = (taskId: Hex): Hex =>
  encodeFunctionData({ ...manager, functionName: 'createNewTask', args: [taskOf(taskId) as never] })
export const respondCall = (taskId: Hex): Hex =>
  encodeFunctionData({
    ...manager,
    functionName: 'respondToTask',
    args: [taskOf(taskId) as never, responseOf(taskId), '0x'],
  })
export const boundedMulticall = (gasLimit: bigint, ...calls: readonly Hex[]): Hex =>
  encodeFunctionData({
    ...manager,
    functionName: 'boundedMulticall',
    args: [calls, calls.map(() => gasLimit)],
  })

export const multicall = (...calls: readonly Hex[]): Hex =>
  encodeFunctionData({ ...manager, functionName: 'multicall', args: [calls] })
export const setOwnerCall = encodeFunctionData({
  abi: sampleClientAbi,
  functionName: 'setOwner',
  args: [client],
})

function logOf(name: string, topics: object, data: readonly unknown[], more: Partial<Log>): Log {
  const event = getAbiItem({ ...manager, name: name as never }) as unknown as AbiEvent
  const plainInputs = event.inputs.filter(({ indexed }) => indexed !== true)
  return {
    ...{ address: client, blockNumber: '0x1', logIndex: '0x0', transactionHash: zero },
    topics: encodeEventTopics({ abi: [event], args: topics as never }) as Hex[],
    data: encodeAbiParameters(plainInputs, data as never),
    ...more,
  }
}
export const created = (taskId: Hex, more: Partial<Log> = {}): Log =>
  logOf('NewTaskCreated', { taskId, policyClient: client }, [taskOf(taskId)], more)
export const responded = (taskId: Hex, expirationBlock: number, more: Partial<Log> = {}): Log =>
  logOf(
    'TaskResponded',
    { taskId, policyClient: client },
    [
      responseOf(taskId),
      {
        ...{ referenceBlock: 7, expirationBlock, respondedBlock: 8 },
        ...{ hashOfNonSigners: zero, responseDigest: zero },
      },
    ],
    more,
  )
export const spent = (taskId: Hex, more: Partial<Log> = {}): Log =>
  logOf('AttestationSpent', { taskId, policyClient: client }, [true], more)
