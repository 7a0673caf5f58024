import { policyAbi } from 'polgate-chain/artifacts/abis.ts'
import type { SeenBlock } from 'polgate-chain/chainWatch.ts'
import { type OperatorSet, readOperatorSet } from 'polgate-chain/operatorSet.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import {
  areResponded,
  type ClientContext,
  isRefusalOfNode,
  type PolicyDataContext,
  readClientContext,
  readIntentDomain,
  readOwner,
  readPolicyData,
  readTask,
} from 'polgate-chain/reads.ts'
import { readSpendRefusals, type SpendRefusal } from 'polgate-chain/spendability.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import type { Task } from 'polgate-chain/types.ts'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { hexToString, type PublicClient } from 'viem'
import { createBlockReads } from './blockReads.ts'
import { postAnswers } from './postAnswers.ts'
import { readWhenKnown } from './readWhenKnown.ts'

/** A policy with one of its configurations, independent of the client that set it. */
export type ConfiguredPolicy = {
  readonly entrypoint: string
  readonly policyCid: string
  /** CID of the schema of its parameters; empty for none. */
  readonly schemaCid: string
  readonly version: string
  /**
   * As in `ClientContext`; undefined if the policy does not know the id. One without parameters that
   * is never valid (`expireAfter` 0) looks the same, and is taken for that.
   */
  readonly policyConfig: ClientContext['policyConfig'] | undefined
  /** Addresses of its PolicyData. */
  readonly policyData: readonly Address[]
}

export type ClientAndOperators = {
  readonly client: ClientContext
  readonly operatorSet: OperatorSet
}

/** Who owned a policy client at the end of a block. */
export type Ownership = { readonly owner: Address; readonly block: number }

/** The chain access of tasks. Reads reject with `ChainReadError` (section 7.3). */
export type TaskChain = {
  readonly chainId: number
  readonly taskManager: Address
  /** All data of a policy client and of the operators of quorums, at a block. */
  clientAndOperators(
    policyClient: Address,
    quorumNumbers: readonly number[],
    block: number,
  ): Promise<ClientAndOperators>
  /** The client part of that. */
  clientContext(policyClient: Address): Promise<ClientContext>
  operatorSet(quorumNumbers: readonly number[], block: number): Promise<OperatorSet>
  latestBlock(): Promise<number>
  policyData(address: Address): Promise<PolicyDataContext>
  /** The owner at the latest block, which `onRead` is called with. */
  owner(policyClient: Address): Promise<Ownership>
  /** The EIP-712 domain of intents for the client; undefined if it exposes no readable one. */
  signingDomain(policyClient: Address): Promise<IntentDomain | undefined>
  configuredPolicy(policyAddress: Address, policyId: Bytes32): Promise<ConfiguredPolicy>
  /** The reasons for which the contracts would reject an attestation in the next block. */
  spendRefusals(attestation: {
    readonly task: Task
    readonly calldata: Data
  }): Promise<readonly SpendRefusal[]>
  /** Posts tasks with their responses (decision T10) unless they are on chain: see `postAnswers`. */
  post(answers: readonly OnChainAnswer[]): Promise<readonly PromiseSettledResult<void>[]>
  /** Whether the task manager has responses to these tasks, all at one block. */
  responded(taskIds: readonly Bytes32[]): Promise<readonly boolean[]>
}

export type TaskChainOptions = {
  readonly client: PublicClient
  readonly chainId: number
  readonly taskManager: Address
  readonly operatorRegistry: Address
  /**
   * Called with the blocks that what is stored depends on: at which a result to post was found to be on
   * chain already, or an owner was read.
   */
  readonly onRead: (block: SeenBlock) => void
  /** Of the account that posts tasks; called when there is something to post. */
  readonly transactor: () => Promise<Transactor>
}

/** The implementation with viem. Reads at the latest block are shared: see `createBlockReads`. */
export function taskChain(options: TaskChainOptions): TaskChain {
  const { client, chainId, taskManager, operatorRegistry } = options
  const blocks = createBlockReads(() =>
    readContract(operatorRegistry, async () => {
      const { number, hash } = await client.getBlock({ blockTag: 'latest' })
      return { number: Number(number), hash }
    }),
  )

  async function atLatest<T>(key: string, read: (blockNumber?: bigint) => Promise<T>): Promise<T> {
    try {
      return await blocks.atLatest(key, (block) => read(BigInt(block)))
    } catch (error) {
      if (!isRefusalOfNode(error)) throw error
      // Another node behind the same address may not have the block yet.
      return await read()
    }
  }

  const latestBlock = async () => (await blocks.latest()).number

  return {
    chainId,
    taskManager,
    clientAndOperators: (policyClient, quorumNumbers, block) =>
      blocks.at(`task ${policyClient} ${quorumNumbers}`, block, () =>
        readTask({
          ...{ client, policyClient, operatorRegistry, quorumNumbers },
          blockNumber: BigInt(block),
        }),
      ),
    clientContext: (policyClient) =>
      atLatest(`client ${policyClient}`, (blockNumber) =>
        readClientContext({
          client,
          policyClient,
          ...(blockNumber === undefined ? {} : { blockNumber }),
        }),
      ),
    operatorSet: (quorumNumbers, block) =>
      blocks.at(`operators ${quorumNumbers}`, block, (blockNumber) =>
        readOperatorSet({ client, operatorRegistry, quorumNumbers, blockNumber }),
      ),
    latestBlock,
    policyData: (policyData) =>
      atLatest(`data ${policyData}`, (blockNumber) =>
        readPolicyData({
          client,
          policyData,
          ...(blockNumber === undefined ? {} : { blockNumber }),
        }),
      ),
    async owner(policyClient) {
      const { number: block, hash } = await blocks.latest()
      options.onRead({ number: BigInt(block), hash })
      // Never at another block than the one that is returned: uploads are ordered by it.
      const owner = await readWhenKnown({ latestBlock }, block, () =>
        blocks.at(`owner ${policyClient}`, block, () =>
          readOwner(client, policyClient, BigInt(block)),
        ),
      )
      return { owner, block }
    },
    signingDomain: (policyClient) =>
      atLatest(`domain ${policyClient}`, (blockNumber) =>
        readIntentDomain(client, policyClient, blockNumber),
      ),
    configuredPolicy: (address, policyId) =>
      atLatest(`policy ${address} ${policyId}`, (blockNumber) =>
        readContract(address, async () => {
          const policy = { address, abi: policyAbi } as const
          // One call, and therefore one block; the multicall code is sent with it.
          const [entrypoint, policyCid, schemaCid, version, policyData, config] =
            await client.multicall({
              deployless: true,
              allowFailure: false,
              ...(blockNumber === undefined ? {} : { blockNumber }),
              contracts: [
                { ...policy, functionName: 'getEntrypoint' },
                { ...policy, functionName: 'getPolicyCid' },
                { ...policy, functionName: 'getSchemaCid' },
                { ...policy, functionName: 'version' },
                { ...policy, functionName: 'getPolicyData' },
                { ...policy, functionName: 'getPolicyConfig', args: [policyId] },
              ],
            })
          const { policyParams, expireAfter } = config
          const policyConfig =
            policyParams === '0x' && expireAfter === 0
              ? undefined
              : { policyParams: hexToString(policyParams), expireAfter }
          return { entrypoint, policyCid, schemaCid, version, policyConfig, policyData }
        }),
      ),
    responded: (taskIds) => areResponded(client, taskManager, taskIds),
    spendRefusals: ({ task, calldata }) =>
      readSpendRefusals({ client, taskManager, task, calldata }),
    async post(answers) {
      try {
        const onFound = options.onRead
        const transactor = await options.transactor()
        return await postAnswers(transactor, { client, taskManager, onFound }, answers)
      } catch (reason) {
        return answers.map(() => ({ status: 'rejected', reason }))
      }
    },
  }
}
