import { decodeIntentDomain, type IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
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
import { decodeOperatorSet, type OperatorSet, readOperatorSet } from './operatorSet.ts'
import { encodeQuorumNumbers } from './operators.ts'
import { readContract, readError } from './readContract.ts'

/** A data source as needed by a task. */
export type PolicyDataContext = {
  readonly policyDataAddress: Address
  readonly wasmCid: string
  /** '' if the oracle needs no secrets. */
  readonly secretsSchemaCid: string
  /** In blocks: data taken at block b expires at b + expireAfter. */
  readonly expireAfter: number
  readonly version: string
  /** Accounts that may attest the data; if empty, attestations are empty. */
  readonly attesters: readonly Address[]
  /** Which digest of decision C8 they sign. */
  readonly digestVersion: number
}

/** A policy client at one block, as needed by a task. */
export type ClientContext = {
  readonly policyClient: Address
  readonly blockNumber: number
  readonly chainId: number
  /** The zero address if the client has no owner. */
  readonly owner: Address
  readonly taskManager: Address
  readonly policyId: Hex
  readonly policyAddress: Address
  /** `policyParams` is the on-chain text, expected to be JSON; `expireAfter` is in blocks. */
  readonly policyConfig: { readonly policyParams: string; readonly expireAfter: number }
  readonly entrypoint: string
  readonly policyCid: string
  readonly schemaCid: string
  readonly metadataCid: string
  /** Version of the policy. */
  readonly version: string
  readonly policyData: readonly PolicyDataContext[]
  /** Undefined if the client exposes none that can be read. */
  readonly signingDomain: IntentDomain | undefined
}

/**
 * Reads everything about a policy client in one `eth_call`, so that all of it is of one block.
 *
 * @param blockNumber default: the latest
 * @throws ChainReadError `Contract read failed: ...` (section 7.3)
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

/** Retries if a node responds for a different block. */
const mostReads = 4

/**
 * Reads until the node responds for the requested block. Anvil responds for the next one if it is
 * mined during the call.
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
      `the node responded as of block ${block} instead of ${blockNumber}`,
      { hint: 'Check that the node serves historical blocks.' },
    )
  }
}

type TaskRead = { readonly client: ClientContext; readonly operatorSet: OperatorSet }

/**
 * Reads a client and the operators of quorums at one block in one `eth_call`. The result of code
 * sent with a call is limited to the size of a contract (24,576 bytes, about 45 operators). If the
 * node refuses for that reason, the operators are read by a second call as of the block of the
 * first: the registry stores its history.
 *
 * @param blockNumber default: the latest
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

/** Clients whose operators exceeded the size of one call. */
const tooLong = new WeakSet<PublicClient>()

/** The node responded with neither a result nor revert data. */
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
 * The domain that a policy client exposes through EIP-5267 (section 4.2); undefined if it exposes
 * none that can be read.
 *
 * @throws ChainReadError if the node does not respond
 */
export async function readIntentDomain(
  client: PublicClient,
  policyClient: Address,
  blockNumber?: bigint,
): Promise<IntentDomain | undefined> {
  return decodeIntentDomain(
    await callReader(client, 'readSigningDomain', [policyClient], policyClient, blockNumber),
  )
}

/** The current owner on chain (section 5.2). @throws ChainReadError */
export function readOwner(
  client: PublicClient,
  policyClient: Address,
  blockNumber?: bigint,
): Promise<Address> {
  const call = { address: policyClient, abi: OWNER_ABI, functionName: 'getOwner' } as const
  return readContract(policyClient, () =>
    client.readContract({ ...call, ...(blockNumber === undefined ? {} : { blockNumber }) }),
  )
}

/** The state of a task in the task manager, at a block or the latest. @throws ChainReadError */
export async function readAttestationState(
  client: PublicClient,
  taskManager: Address,
  taskId: Hex,
  blockNumber?: bigint,
) {
  const [created, certificate, spent, challenged] = await readContract(taskManager, () =>
    client.readContract({
      address: taskManager,
      abi: taskManagerAbi,
      functionName: 'getAttestationState',
      args: [taskId],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    }),
  )
  return { created, certificate, spent, challenged }
}

/** Which of these tasks have a response on chain, as of one block. @throws ChainReadError */
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
