import {
  type Address,
  BaseError,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  type PublicClient,
  RpcRequestError,
} from 'viem'
import { bytecodeOf } from './artifact.ts'
import { contextReaderAbi, taskManagerAbi } from './artifacts/abis.ts'
import { ChainReadError } from './errors.ts'
import { decodeIntentDomain, type IntentDomain } from './intentDomain.ts'
import { decodeOperatorSet, type OperatorSet, readOperatorSet } from './operatorSet.ts'
import { encodeQuorumNumbers } from './operators.ts'
import { readContract, readError } from './readContract.ts'

/** What a task needs to know of one data source. */
export type PolicyDataContext = {
  readonly policyDataAddress: Address
  readonly wasmCid: string
  /** '' when the oracle needs no secrets. */
  readonly secretsSchemaCid: string
  /** Blocks: its data, taken at block b, expires at b + expireAfter. */
  readonly expireAfter: number
  readonly version: string
  /** Who may attest the data; none means that attestations are empty. */
  readonly attesters: readonly Address[]
}

/** All that a task needs to know of its policy client, of one block. */
export type ClientContext = {
  readonly policyClient: Address
  readonly blockNumber: number
  readonly chainId: number
  /** The zero address when the client has no owner. */
  readonly owner: Address
  readonly taskManager: Address
  readonly policyId: Hex
  readonly policyAddress: Address
  /** `policyParams` is the text on chain, expected to be JSON; `expireAfter` is in blocks. */
  readonly policyConfig: { readonly policyParams: string; readonly expireAfter: number }
  readonly entrypoint: string
  readonly policyCid: string
  readonly schemaCid: string
  readonly metadataCid: string
  /** Of the policy. */
  readonly version: string
  readonly policyData: readonly PolicyDataContext[]
  /** Undefined where the client exposes none that can be read. */
  readonly signingDomain: IntentDomain | undefined
}

/**
 * Reads everything about a policy client in one `eth_call`, so that all of it is of one block.
 *
 * @param blockNumber default: the latest.
 * @throws ChainReadError `Contract read failed: ...` (section 7.3).
 */
export async function readClientContext(options: {
  readonly client: PublicClient
  readonly policyClient: Address
  readonly blockNumber?: bigint
}): Promise<ClientContext> {
  const { client, policyClient, blockNumber } = options
  return await asOf(blockNumber, async () => {
    const told = await callReader(client, 'read', [policyClient], policyClient, blockNumber)
    return { value: clientContextOf(policyClient, told), block: told.blockNumber }
  })
}

/** How often a node may answer for another block than the one it was asked for. */
const mostReads = 4

/**
 * Reads until the node answers as of the block it was asked for. Anvil answers as of the next one where
 * that is mined during the call.
 *
 * @throws ChainReadError
 */
async function asOf<T>(
  blockNumber: bigint | undefined,
  read: () => Promise<{ readonly value: T; readonly block: bigint }>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const { value, block } = await read()
    if (blockNumber === undefined || block === blockNumber) return value
    if (tries < mostReads) continue
    throw new ChainReadError(
      'unreachable',
      `the node answered as of block ${block} instead of ${blockNumber}`,
      { hint: 'Check that the node serves past blocks.' },
    )
  }
}

type TaskRead = { readonly client: ClientContext; readonly operatorSet: OperatorSet }

/**
 * Reads everything about a client and the operators of quorums at one block, in one `eth_call`.
 * What code that travels with a call returns is no longer than a contract may be (24,576 bytes: some
 * 45 operators). Where the node refuses for that, the operators are read by a call of their own, as
 * they were at the block of the first: the registry keeps its history.
 *
 * @param blockNumber default: the latest.
 */
export async function readTask(options: {
  readonly client: PublicClient
  readonly policyClient: Address
  readonly operatorRegistry: Address
  readonly quorumNumbers: readonly number[]
  readonly blockNumber?: bigint
}): Promise<TaskRead> {
  const { client } = options
  if (tooLong.has(client)) return await readTaskInTwo(options)
  try {
    return await readTaskInOne(options)
  } catch (error) {
    if (!isRefusalOfNode(error)) throw error
    const read = await readTaskInTwo(options)
    tooLong.add(client)
    return read
  }
}

/** Nodes that had more operators to tell of than one call can. */
const tooLong = new WeakSet<PublicClient>()

/** The node answered, and neither with a result nor with what a contract reverted with. */
export const isRefusalOfNode = (error: unknown): boolean =>
  error instanceof ChainReadError &&
  error.code === 'unreachable' &&
  error.cause instanceof BaseError &&
  error.cause.walk((cause) => cause instanceof RpcRequestError) !== null

async function readTaskInOne(options: Parameters<typeof readTask>[0]): Promise<TaskRead> {
  const { client, policyClient, operatorRegistry, quorumNumbers, blockNumber } = options
  const encoded = encodeQuorumNumbers(quorumNumbers)
  const args = [policyClient, operatorRegistry, encoded] as const
  return await asOf(blockNumber, async () => {
    const [told, set] = await callReader(client, 'readTask', args, policyClient, blockNumber)
    const context = clientContextOf(policyClient, told)
    const operatorSet = decodeOperatorSet(set, quorumNumbers, context.blockNumber)
    return { value: { client: context, operatorSet }, block: told.blockNumber }
  })
}

async function readTaskInTwo(options: Parameters<typeof readTask>[0]): Promise<TaskRead> {
  const context = await readClientContext(options)
  const { blockNumber } = context
  return { client: context, operatorSet: await readOperatorSet({ ...options, blockNumber }) }
}

type ReadContext = ContractFunctionReturnType<typeof contextReaderAbi, 'view', 'read'>

const clientContextOf = (policyClient: Address, context: ReadContext): ClientContext => ({
  ...context,
  signingDomain: decodeIntentDomain(context.signingDomain),
  policyClient,
  blockNumber: Number(context.blockNumber),
  chainId: Number(context.chainId),
  policyConfig: {
    policyParams: hexToString(context.policyConfig.policyParams),
    expireAfter: context.policyConfig.expireAfter,
  },
})

/** Reads one data source (for `svc_simulatePolicyData`). @throws ChainReadError */
export function readPolicyData(options: {
  readonly client: PublicClient
  readonly policyData: Address
  readonly blockNumber?: bigint
}): Promise<PolicyDataContext> {
  const { client, policyData, blockNumber } = options
  return callReader(client, 'readPolicyData', [policyData], policyData, blockNumber)
}

/**
 * The domain that a policy client exposes through EIP-5267 (section 4.2), undefined where it exposes
 * none that can be read.
 *
 * @throws ChainReadError when the node does not answer
 */
export async function readIntentDomain(
  client: PublicClient,
  policyClient: Address,
): Promise<IntentDomain | undefined> {
  return decodeIntentDomain(
    await callReader(client, 'readSigningDomain', [policyClient], policyClient),
  )
}

/** The owner as the chain has it now (section 5.2). @throws ChainReadError */
export function readOwner(client: PublicClient, policyClient: Address): Promise<Address> {
  return readContract(policyClient, () =>
    client.readContract({ address: policyClient, abi: OWNER_ABI, functionName: 'getOwner' }),
  )
}

/** What the task manager knows of a task. @throws ChainReadError */
export async function readAttestationState(
  client: PublicClient,
  taskManager: Address,
  taskId: Hex,
) {
  const [created, certificate, spent, challenged] = await readContract(taskManager, () =>
    client.readContract({
      address: taskManager,
      abi: taskManagerAbi,
      functionName: 'getAttestationState',
      args: [taskId],
    }),
  )
  return { created, certificate, spent, challenged }
}

/** Which of these tasks have a response on chain, all as of one block. @throws ChainReadError */
export async function areResponded(
  client: PublicClient,
  taskManager: Address,
  taskIds: readonly Hex[],
): Promise<readonly boolean[]> {
  const states = await readContract(taskManager, () =>
    client.multicall({
      deployless: true,
      allowFailure: false,
      contracts: taskIds.map((taskId) => ({
        address: taskManager,
        abi: taskManagerAbi,
        functionName: 'getAttestationState' as const,
        args: [taskId] as const,
      })),
    }),
  )
  return states.map(([, certificate]) => certificate.respondedBlock !== 0)
}

const OWNER_ABI = [
  {
    type: 'function',
    name: 'getOwner',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'address' }],
  },
] as const

type Reader = 'read' | 'readPolicyData' | 'readSigningDomain' | 'readTask'

async function callReader<N extends Reader>(
  client: PublicClient,
  functionName: N,
  args: readonly unknown[],
  target: Address,
  blockNumber?: bigint,
) {
  try {
    const { data } = await client.call({
      code: bytecodeOf('ContextReader'),
      data: encodeFunctionData({ abi: contextReaderAbi, functionName, args } as never),
      ...(blockNumber === undefined ? {} : { blockNumber }),
    })
    return decodeFunctionResult<typeof contextReaderAbi, N>({
      abi: contextReaderAbi,
      functionName,
      data: data ?? '0x',
    } as never)
  } catch (error) {
    throw readError(target, error)
  }
}
