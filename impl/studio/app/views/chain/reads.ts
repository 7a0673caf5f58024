import type { Hex } from 'viem'
import { chainRpc } from '../../data/chain.ts'
import { target } from '../../data/target.ts'
import type { Log } from './decode.ts'
import {
  gasSteps,
  latestTasks,
  type Posted,
  type TaskGas,
  type Trace,
  transactionsOf,
} from './gasSteps.ts'

export type Transaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly value: Hex
  readonly input: Hex
  readonly nonce: Hex
  readonly blockNumber: Hex
}
export type Block = {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex
  readonly transactions: readonly Transaction[]
}
export type Receipt = {
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly contractAddress: Hex | null
  readonly logs: readonly Log[]
}

/** Blocks of one page. */
export const pageSize = 20
/** Blocks that are searched for events, from the latest one. */
export const searched = 2_000
/** Tasks of which the gas is shown. */
const gasTasks = 15

const hex = (value: number): Hex => `0x${value.toString(16)}`

export const blockNumber = async (): Promise<number> =>
  Number(await chainRpc<Hex>('eth_blockNumber'))

/** A block with its transactions; null if there is none of this number. @throws ApiError */
export const readBlock = (number: number | 'latest'): Promise<Block | null> =>
  chainRpc('eth_getBlockByNumber', [number === 'latest' ? number : hex(number), true])

/** A page of blocks, newest first, up to `newest` or the latest. @throws ApiError */
export async function readBlocks(
  newest: number | undefined,
): Promise<{ readonly latest: number; readonly blocks: readonly Block[] }> {
  const latest = await blockNumber()
  const first = Math.min(latest, newest ?? latest)
  const numbers = Array.from({ length: Math.min(pageSize, first + 1) }, (_, at) => first - at)
  const blocks = await Promise.all(numbers.map(readBlock))
  return { latest, blocks: blocks.filter((block) => block !== null) }
}

/** A transaction and its receipt, null while it is not mined. @throws ApiError */
export async function readTransaction(hash: string): Promise<{
  readonly transaction: Transaction | null
  readonly receipt: Receipt | null
}> {
  const [transaction, receipt] = await Promise.all([
    chainRpc<Transaction | null>('eth_getTransactionByHash', [hash]),
    chainRpc<Receipt | null>('eth_getTransactionReceipt', [hash]),
  ])
  return { transaction, receipt }
}

/** Events of the latest blocks, oldest first. @throws ApiError */
export async function readEvents(address?: string): Promise<readonly Log[]> {
  const latest = await blockNumber()
  const from = Math.max(0, latest - searched)
  return await chainRpc('eth_getLogs', [
    { fromBlock: hex(from), toBlock: hex(latest), ...(address === undefined ? {} : { address }) },
  ])
}

const known = new Map<Hex, Posted>()

/** Gas by step of the latest tasks. @throws ApiError */
export async function readGas(): Promise<readonly TaskGas[]> {
  const logs = await readEvents(target().contracts.TaskManager)
  const tasks = latestTasks(logs, gasTasks)
  const hashes = transactionsOf(logs, new Set(tasks))
  for (const hash of known.keys()) if (!hashes.includes(hash)) known.delete(hash)
  for (const hash of hashes) if (!known.has(hash)) known.set(hash, await readPosted(hash))
  return gasSteps(logs, tasks, known)
}

async function readPosted(hash: Hex): Promise<Posted> {
  const { gasUsed } = await chainRpc<Receipt>('eth_getTransactionReceipt', [hash])
  if (target().readOnly) return { gasUsed }
  const traced = chainRpc<Trace>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
  return { gasUsed, trace: await traced.catch(() => undefined) }
}

/** Balances in wei, by address. @throws ApiError */
export async function readBalances(
  addresses: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const balances = await Promise.all(
    addresses.map((address) => chainRpc<Hex>('eth_getBalance', [address, 'latest'])),
  )
  return new Map(addresses.map((address, at) => [address, BigInt(balances[at] ?? 0)]))
}
