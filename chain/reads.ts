import {
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  type PublicClient,
} from 'viem'
import { bytecodeOf } from './artifact.ts'
import { contextReaderAbi, taskManagerAbi } from './artifacts/abis.ts'
import { decodeCustomError, decodeRevert, describeError, revertData } from './customErrors.ts'
import { ChainReadError } from './errors.ts'

/** What a task needs to know of one data source. */
export interface PolicyDataContext {
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
export interface ClientContext {
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
  const context = await callReader(client, 'read', policyClient, blockNumber)
  return {
    ...context,
    policyClient,
    blockNumber: Number(context.blockNumber),
    chainId: Number(context.chainId),
    policyConfig: {
      policyParams: hexToString(context.policyConfig.policyParams),
      expireAfter: context.policyConfig.expireAfter,
    },
  }
}

/** Reads one data source (for `svc_simulatePolicyData`). @throws ChainReadError */
export function readPolicyData(options: {
  readonly client: PublicClient
  readonly policyData: Address
  readonly blockNumber?: bigint
}): Promise<PolicyDataContext> {
  return callReader(options.client, 'readPolicyData', options.policyData, options.blockNumber)
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

/** Runs a read of a contract and gives its failures the room's error. */
export async function readContract<T>(target: Address, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw readError(target, error)
  }
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

type Reader = 'read' | 'readPolicyData'

async function callReader<N extends Reader>(
  client: PublicClient,
  functionName: N,
  target: Address,
  blockNumber: bigint | undefined,
) {
  try {
    const { data } = await client.call({
      code: bytecodeOf('ContextReader'),
      data: encodeFunctionData({ abi: contextReaderAbi, functionName, args: [target] } as never),
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

function readError(target: Address, error: unknown): ChainReadError {
  const decoded = decodeRevert(error)
  if (decoded?.errorName === 'ReadFailed') {
    const [address, read, reason] = decoded.args as [Address, string, Hex]
    if (reason === '0x') {
      return new ChainReadError('no-contract', `${read} of ${address} has no answer`, {
        hint: 'Is there a contract of the right kind at this address, on this chain?',
        cause: error,
      })
    }
    const inner = decodeCustomError(reason)
    const text = inner === undefined ? reason : describeError(inner)
    return new ChainReadError('reverted', `${read} of ${address} reverted with ${text}`, {
      hint: 'Is the policy of this client set?',
      cause: error,
    })
  }
  const text = error instanceof BaseError ? error.shortMessage : String(error)
  const kind = 'Is there a contract of the right kind at this address, on this chain?'
  if (hasCause(error, ['AbiDecodingZeroDataError', 'ContractFunctionZeroDataError'])) {
    const reason = `${target} has no answer`
    return new ChainReadError('no-contract', reason, { hint: kind, cause: error })
  }
  if (revertData(error) !== undefined || hasCause(error, ['ExecutionRevertedError'])) {
    const reason = decoded === undefined ? text : describeError(decoded)
    return new ChainReadError('reverted', `${target}: ${reason}`, { hint: kind, cause: error })
  }
  // Only the short message: the long one holds the RPC address, which may hold a key.
  return new ChainReadError('unreachable', text, {
    hint: 'Check that the RPC address is right and the node is running.',
    cause: error,
  })
}

const hasCause = (error: unknown, names: readonly string[]): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => names.includes((cause as Error).name)) !== null
