import { readOperatorSet } from 'polgate-chain/operatorSet.ts'
import { encodeQuorumNumbers } from 'polgate-chain/operators.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { aggregateSignatures } from '../aggregate.ts'
import type { Attestation } from '../calldata.ts'
import { responseDigest } from '../digest.ts'
import type { Intent, Task, TaskResponse } from '../types.ts'
import { allow, type TestOperator, type World } from './world.ts'

export type AttestOptions = {
  readonly intent?: Partial<Intent>
  readonly policyClient?: Address
  /** Default: unique in this process. */
  readonly nonce?: number
  readonly evaluationResult?: Hex
  /** Default: all operators. */
  readonly signers?: readonly TestOperator[]
  readonly quorumNumbers?: readonly number[]
  /** Default 67. */
  readonly threshold?: number
  /** Default: the latest block. */
  readonly referenceBlock?: number
  readonly changeTask?: (task: Task) => Task
  /** Applied before signing. */
  readonly changeResponse?: (response: TaskResponse) => TaskResponse
}

let nextNonce = 0

/**
 * keccak256(abi.encode(...)) of decisions T1 and T3, independent of the implementation in the
 * service.
 */
export function taskIdOf(
  { policyClient, intent, nonce, taskCreatedBlock }: Omit<Task, 'taskId'>,
  chainId: number,
): Hex {
  const types = 'address, address, uint256, bytes, uint256, bytes'
  const { from, to, value, data, chainId: target, functionSignature } = intent
  const intentHash = keccak256(
    encodeAbiParameters(parseAbiParameters(types), [
      from,
      to,
      value,
      data,
      target,
      functionSignature,
    ]),
  )
  return keccak256(
    encodeAbiParameters(parseAbiParameters('uint256, address, bytes32, uint32, uint32'), [
      BigInt(chainId),
      policyClient,
      intentHash,
      nonce,
      taskCreatedBlock,
    ]),
  )
}

/** A task and its honest response at a block, unsigned. */
export async function prepare(world: World, options: AttestOptions = {}) {
  const { transactor } = world
  const { policyClient = world.policyClient, nonce = nextNonce++, quorumNumbers = [0] } = options
  const context = await readClientContext({
    client: transactor.client,
    policyClient,
    ...(options.referenceBlock === undefined
      ? {}
      : { blockNumber: BigInt(options.referenceBlock) }),
  })
  const intent: Intent = {
    from: transactor.account.address,
    to: '0x00000000000000000000000000000000000000AA',
    value: 0n,
    data: '0x',
    chainId: BigInt(context.chainId),
    functionSignature: '0x',
    ...options.intent,
  }
  const terms = {
    policyClient,
    nonce,
    taskCreatedBlock: context.blockNumber,
    quorumThresholdPercentage: options.threshold ?? 67,
    intent,
    intentSignature: '0x',
    wasmArgs: '0x',
    quorumNumbers: encodeQuorumNumbers(quorumNumbers),
  } as const
  const task: Task = { taskId: taskIdOf(terms, context.chainId), ...terms }
  const policyConfig = {
    policyParams: stringToHex(context.policyConfig.policyParams),
    expireAfter: context.policyConfig.expireAfter,
  }
  const { policyId, policyAddress } = context
  const response: TaskResponse = {
    taskId: task.taskId,
    policyClient,
    policyId,
    policyAddress,
    intent,
    intentSignature: '0x',
    evaluationResult: options.evaluationResult ?? allow,
    policyTaskData: {
      policyId,
      policyAddress,
      policy: '0x',
      policyData: context.policyData.map(({ policyDataAddress, expireAfter }) => ({
        wasmArgs: '0x',
        data: '0x7b7d',
        attestation: '0x',
        policyDataAddress,
        expireBlock: Math.min(context.blockNumber + expireAfter, 2 ** 32 - 1),
      })),
    },
    policyConfig,
  }
  return {
    task: options.changeTask?.(task) ?? task,
    response: options.changeResponse?.(response) ?? response,
  }
}

/** An attestation signed by the given operators, with or without the quorum. */
export async function attest(world: World, options: AttestOptions = {}): Promise<Attestation> {
  const { task, response } = await prepare(world, options)
  const { signers = world.operators, quorumNumbers = [0] } = options
  const digest = responseDigest(response)
  const operatorSet = await readOperatorSet({
    client: world.transactor.client,
    operatorRegistry: world.protocol.operatorRegistry,
    quorumNumbers,
    blockNumber: task.taskCreatedBlock,
  })
  // The aggregation rejects a quorum without stake; here the contract must do so.
  const quorums = operatorSet.quorums.map((quorum) => ({
    ...quorum,
    totalStake: quorum.totalStake === 0n ? 1n : quorum.totalStake,
  }))
  const aggregation = aggregateSignatures({
    digest,
    operatorSet: { ...operatorSet, quorums },
    thresholdPercentage: 0,
    signatures: signers.map(({ key }) => ({
      operatorId: key.operatorId,
      signature: key.sign(digest),
    })),
  })
  if (!aggregation.reached) throw new Error('no signers')
  return { task, response, signatureData: aggregation.signatureData }
}
