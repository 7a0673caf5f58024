import { operatorRegistryAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { readOperatorSet } from 'polgate-chain/operatorSet.ts'
import { possessionDigest } from 'polgate-chain/operators.ts'
import { encodeFunctionData, type Hex } from 'viem'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { type Attestation, encodeEvidence, responseDigest } from '../../crypto/attestation.ts'
import { type BlsKey, blsKeyOf } from '../../crypto/blsKey.ts'
import { operatorIdOf } from '../../crypto/bn254.ts'
import { taskIdOf } from '../../crypto/taskId.ts'
import { lacking } from '../../targets/targetLine.ts'
import { isRequired } from '../assertions/observed.ts'
import { sharedAttestation } from './attested.ts'
import type { ChainFork } from './chainFork.ts'
import { chainIdOf } from './requests.ts'

/** An operator on a fork of the chain, whose key the suite has. */
export type OwnOperator = {
  /** Total stake of the others. */
  readonly others: bigint
  readonly register: (stake: bigint) => Promise<void>
  readonly deregister: () => Promise<void>
  /** An attestation of a new task signed by this operator alone. */
  readonly attest: (task: {
    readonly nonce: number
    readonly referenceBlock: number
    readonly threshold?: number
    readonly result?: Hex
    /** The operator set at another block than the given one. */
    readonly setOf?: number
  }) => Promise<Attestation>
  /** Posts a task and its response from the authorized account. */
  readonly post: (attestation: Attestation) => Promise<void>
  /** One of the two; returns the hash of its transaction. */
  readonly postTask: (attestation: Attestation) => Promise<Hex>
  readonly postResponse: (attestation: Attestation) => Promise<Hex>
  /** Revokes the account's permission to post. */
  readonly withdraw: () => Promise<void>
}

const account: Hex = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed'

/** Computed on first use: it takes a third of a second. */
let ownKey: BlsKey | undefined
function keyOfSuite(): BlsKey {
  ownKey ??= blsKeyOf('an operator of the conformance suite')
  return ownKey
}

function contractsOf(t: CheckContext): { registry: Hex; manager: Hex } {
  const { operatorRegistry: registry, taskManager: manager } = t.target.chain ?? {}
  if (registry === undefined || manager === undefined)
    throw lacking('the target has no operator registry, or no task manager', 'chain', t.target)
  return { registry, manager }
}

/** The account that may change the operator set; an unknown registry proves and refutes nothing. */
async function ownerOf(t: CheckContext, fork: ChainFork, address: Hex): Promise<Hex> {
  try {
    const call = { address, abi: operatorRegistryAbi, functionName: 'owner' } as const
    return await fork.client.readContract(call)
  } catch (error) {
    if (isRequired(t, 'usual-contracts')) throw error
    throw new Untestable('the operator registry is unknown to the suite')
  }
}

/** Registers an operator on a fork of the chain. */
export async function ownOperator(t: CheckContext, fork: ChainFork): Promise<OwnOperator> {
  const { registry, manager } = contractsOf(t)
  const key = keyOfSuite()
  const id = operatorIdOf(key.pubkeyG1)
  const owner = await ownerOf(t, fork, registry)
  const chainId = chainIdOf(t)
  const setAt = (blockNumber: number) =>
    readOperatorSet({
      client: fork.client,
      operatorRegistry: registry,
      quorumNumbers: [0],
      blockNumber,
    })
  const change = (data: Hex) => fork.send(owner, registry, data)
  const { attestation: template } = await sharedAttestation(t)
  const now = await setAt(await fork.head())

  const evidenceAt = async (digest: Hex, block: number): Promise<Hex> => {
    const { operators, quorums } = await setAt(block)
    const [quorum] = quorums
    const others = operators
      .filter(({ operatorId, stakes }) => operatorId !== id && stakes[0]! > 0n)
      .sort((a, b) => (a.operatorId < b.operatorId ? -1 : 1))
    return encodeEvidence({
      nonSignerQuorumBitmapIndices: others.map(({ quorumBitmapIndex }) => quorumBitmapIndex),
      nonSignerPubkeys: others.map(({ pubkeyG1 }) => pubkeyG1),
      quorumApks: [quorum!.apk],
      apkG2: key.pubkeyG2,
      sigma: key.sign(digest),
      quorumApkIndices: [quorum!.apkIndex],
      totalStakeIndices: [quorum!.totalStakeIndex],
      nonSignerStakeIndices: [others.map(({ stakeIndices }) => stakeIndices[0]!)],
    })
  }

  const abi = taskManagerAbi
  const allow = async (allowed: boolean) => {
    const args = [account, allowed] as const
    const data = encodeFunctionData({ abi, functionName: 'setAggregator', args })
    await fork.send(owner, manager, data)
  }
  const postTask = async ({ task }: Attestation) => {
    await allow(true)
    const data = encodeFunctionData({ abi, functionName: 'createNewTask', args: [task] })
    return (await fork.send(account, manager, data)).transactionHash
  }
  const postResponse = async ({ task, response, signatureData }: Attestation) => {
    const args = [task, response, signatureData] as const
    const data = encodeFunctionData({ abi, functionName: 'respondToTask', args })
    return (await fork.send(account, manager, data)).transactionHash
  }

  return {
    others: now.quorums[0]!.totalStake,
    register: async (stake) => {
      const possession = key.sign(
        possessionDigest({ chainId, operatorRegistry: registry, account }),
      )
      const { pubkeyG1, pubkeyG2 } = key
      await change(
        encodeFunctionData({
          abi: operatorRegistryAbi,
          functionName: 'registerOperator',
          args: [account, '0x00', [stake], pubkeyG1, pubkeyG2, possession],
        }),
      )
    },
    deregister: async () => {
      const call = { abi: operatorRegistryAbi, functionName: 'deregisterOperator' } as const
      await change(encodeFunctionData({ ...call, args: [id] }))
    },
    attest: async ({ nonce, referenceBlock, threshold = 50, result, setOf = referenceBlock }) => {
      const { policyClient, intent } = template.task
      const taskId = taskIdOf({
        ...{ chainId, policyClient, intent, nonce },
        taskCreatedBlock: referenceBlock,
      })
      const task = {
        ...template.task,
        taskId,
        nonce,
        taskCreatedBlock: referenceBlock,
        quorumThresholdPercentage: threshold,
        quorumNumbers: '0x00' as const,
      }
      const response = {
        ...template.response,
        taskId,
        evaluationResult: result ?? template.response.evaluationResult,
      }
      const signatureData = await evidenceAt(responseDigest(response), setOf)
      return { task, response, signatureData }
    },
    post: async (attestation) => {
      await postTask(attestation)
      await postResponse(attestation)
    },
    postTask,
    postResponse,
    withdraw: () => allow(false),
  }
}
