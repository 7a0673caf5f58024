import {
  type Address,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  type PublicClient,
} from 'viem'
import { bytecodeOf } from './artifact.ts'
import { contextReaderAbi, taskManagerAbi } from './artifacts/abis.ts'
import { decodeOperatorSet, type OperatorSet } from './operatorSet.ts'
import { encodeQuorumNumbers } from './operators.ts'
import { readContract, readError } from './readContract.ts'

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
  return clientContextOf(
    policyClient,
    await callReader(client, 'read', [policyClient], policyClient, blockNumber),
  )
}

/** Reads everything about a client and the operators of quorums, in one `eth_call` at the latest block. */
export async function readTask(options: {
  readonly client: PublicClient
  readonly policyClient: Address
  readonly operatorRegistry: Address
  readonly quorumNumbers: readonly number[]
}): Promise<{ readonly client: ClientContext; readonly operatorSet: OperatorSet }> {
  const { client, policyClient, operatorRegistry, quorumNumbers } = options
  const encoded = encodeQuorumNumbers(quorumNumbers)
  const args = [policyClient, operatorRegistry, encoded] as const
  const [told, operatorSet] = await callReader(client, 'readTask', args, policyClient)
  const context = clientContextOf(policyClient, told)
  return {
    client: context,
    operatorSet: decodeOperatorSet(operatorSet, quorumNumbers, context.blockNumber),
  }
}

type ReadContext = ContractFunctionReturnType<typeof contextReaderAbi, 'view', 'read'>

const clientContextOf = (policyClient: Address, context: ReadContext): ClientContext => ({
  ...context,
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

const OWNER_ABI = [
  {
    type: 'function',
    name: 'getOwner',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'address' }],
  },
] as const

type Reader = 'read' | 'readPolicyData' | 'readTask'

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
