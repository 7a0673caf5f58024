import {
  type Address,
  type ContractEventName,
  type Hex,
  type PublicClient,
  type RpcLog,
  toEventSelector,
  toHex,
} from 'viem'
import { policyFactoryAbi, taskManagerAbi } from './artifacts/abis.ts'
import { bloomHas } from './bloom.ts'

/** Addresses of the indexed contracts. */
export type EventSources = {
  readonly taskManager: Address
  readonly policyFactory: Address
}

/** A log of a node, with parsed numbers and lower-case hex. */
export type RawLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly transactionHash: Hex
  /** Unix seconds; undefined if the node does not include it in the log. */
  readonly timestamp: number | undefined
}

const taskEvents = [
  'NewTaskCreated',
  'TaskResponded',
  'AttestationSpent',
  'TaskChallengedSuccessfully',
  'TaskChallengedUnsuccessfully',
] as const satisfies readonly ContractEventName<typeof taskManagerAbi>[]

function selectorOf(abi: readonly { readonly type: string }[], name: string): Hex {
  const event = abi.find((item) => item.type === 'event' && 'name' in item && item.name === name)
  return toEventSelector(event as Parameters<typeof toEventSelector>[0])
}

const selectors: readonly Hex[] = [
  ...taskEvents.map((name) => selectorOf(taskManagerAbi, name)),
  selectorOf(policyFactoryAbi, 'PolicyDeployed'),
]

/**
 * The logs of both contracts in a range of blocks, inclusive, in order. Duplicates and logs of
 * other blocks are removed.
 *
 * @throws viem errors; an Error for an invalid result
 */
export async function readLogs(
  client: PublicClient,
  sources: EventSources,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly RawLog[]> {
  const logs = new Map<string, RawLog>()
  const told = await askForLogs(client, sources, { fromBlock: toHex(from), toBlock: toHex(to) })
  for (const log of told) {
    const asked = log.blockNumber >= from && log.blockNumber <= to
    if (asked) logs.set(`${log.blockHash} ${log.logIndex}`, log)
  }
  return [...logs.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/**
 * Whether a block that seemed to have no logs has some. A lagging node reports no logs for blocks
 * that it does not have, without an error; a request by block hash fails instead.
 *
 * @param bloom the block's `logsBloom`; most blocks need no request
 * @throws viem errors, also if the node does not have the block
 */
export async function hasLogs(
  client: PublicClient,
  sources: EventSources,
  block: { readonly hash: Hex; readonly bloom: Hex },
): Promise<boolean> {
  const has = (member: Hex) => bloomHas(block.bloom, member)
  const may = [sources.taskManager, sources.policyFactory].some(has) && selectors.some(has)
  return may && (await askForLogs(client, sources, { blockHash: block.hash })).length > 0
}

type LogRange = { readonly fromBlock: Hex; readonly toBlock: Hex } | { readonly blockHash: Hex }

async function askForLogs(
  client: PublicClient,
  { taskManager, policyFactory }: EventSources,
  range: LogRange,
): Promise<readonly RawLog[]> {
  const filter = { address: [taskManager, policyFactory], topics: [[...selectors]], ...range }
  const told = await client.request({ method: 'eth_getLogs', params: [filter] })
  if (!Array.isArray(told)) throw new Error('the node did not return a list of logs')
  return told.map(parseLog)
}

function parseLog(log: RpcLog & { readonly blockTimestamp?: Hex | null | undefined }): RawLog {
  const { address, topics, data, blockNumber, blockHash, logIndex, transactionHash } = log
  if (blockNumber === null || blockHash === null || logIndex === null || log.removed) {
    throw new Error('the node returned a log that is in no block')
  }
  return {
    address: lower(address),
    topics: topics.map((topic) => lower(topic)),
    data: lower(data),
    blockNumber: Number(blockNumber),
    blockHash: lower(blockHash),
    logIndex: Number(logIndex),
    transactionHash: lower(transactionHash ?? '0x'),
    timestamp: log.blockTimestamp ? Number(log.blockTimestamp) : undefined,
  }
}

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
