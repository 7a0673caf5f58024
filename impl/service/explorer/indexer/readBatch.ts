import pMap from 'p-map'
import { eventOf } from 'polgate-chain/events.ts'
import { type EventSources, hasLogs, type RawLog, readLogs } from 'polgate-chain/logs.ts'
import { BaseError, type PublicClient, RpcRequestError } from 'viem'
import type { ChainEvent, IndexedBlock } from '../../store/explorer/chainEvent.ts'
import { type Header, readHeader } from './header.ts'
import { IndexerError } from './indexerError.ts'

/** Whole blocks of one chain with their events. */
export type Batch = {
  readonly from: number
  readonly to: number
  /** Hash of the block before `from`. */
  readonly parentHash: IndexedBlock['hash']
  /** Ascending: the blocks of the events, `to`, and all blocks that may still be dropped. */
  readonly blocks: readonly IndexedBlock[]
  readonly tip: IndexedBlock
  /** In chain order. */
  readonly events: readonly ChainEvent[]
  /** Logs that match none of the events. */
  readonly odd: readonly RawLog[]
}

export type BatchSource = {
  readonly client: PublicClient
  readonly contracts: EventSources
  /** Larger batches are rejected, unless they have a single block. */
  readonly maxLogs: number
}

/** For this many blocks below the head all hashes are read: the depth of possible forks. */
export const shallow = 256
const parallel = { concurrency: 16 }

/**
 * Reads a range of blocks and checks all hashes in it: recent blocks are linked by their parent
 * hashes, every log belongs to one of the blocks, no recent block has logs that the node omitted,
 * and the last block is the same before and after the logs were read.
 *
 * @param latest the last known head
 * @throws IndexerError `disagreement`, `too-much`; viem's errors
 */
export async function readBatch(
  source: BatchSource,
  range: { readonly from: number; readonly to: number; readonly latest: Header },
): Promise<Batch> {
  const { from, to } = range
  const headers = await readHeaders(source.client, range)
  const logs = await readLogs(source.client, source.contracts, { from, to })
  if (logs.length > source.maxLogs && to > from) {
    throw new IndexerError('too-much', `the blocks ${from} to ${to} have ${logs.length} logs`)
  }
  const blocks = await blocksOf(source.client, headers, logs)
  await expectNoMore(source, headers, logs)
  const tip = headers.get(to)
  const first = headers.get(from)
  const again = await readHeader(source.client, to)
  if (tip === undefined || first === undefined || again?.hash !== tip.hash) {
    throw changed(to)
  }
  const events: ChainEvent[] = []
  const odd: RawLog[] = []
  for (const log of logs) {
    const event = eventOf(log, source.contracts)
    if (event === undefined) odd.push(log)
    else events.push(event)
  }
  return { from, to, parentHash: first.parentHash, blocks, tip: plain(tip), events, odd }
}

/** The first and last block of the range and its recent blocks, checked to be linked. */
async function readHeaders(
  client: PublicClient,
  { from, to, latest }: { readonly from: number; readonly to: number; readonly latest: Header },
): Promise<Map<number, Header>> {
  const lowest = Math.max(from, latest.number - shallow + 1)
  const numbers = new Set([from, to])
  for (let number = lowest; number <= to; number += 1) numbers.add(number)
  const ascending = [...numbers].sort((a, b) => a - b)
  const readOne = async (number: number) => {
    const header = number === latest.number ? latest : await readHeader(client, number)
    if (header === undefined) throw changed(number)
    return header
  }
  const read = await pMap(ascending, readOne, parallel)
  for (const [at, header] of read.entries()) {
    const before = read[at - 1]
    if (before?.number === header.number - 1 && before.hash !== header.parentHash) {
      throw changed(header.number)
    }
  }
  return new Map(read.map((header) => [header.number, header]))
}

/**
 * Blocks of the logs: from the logs themselves if they have a timestamp, else read from the node.
 */
async function blocksOf(
  client: PublicClient,
  headers: ReadonlyMap<number, Header>,
  logs: readonly RawLog[],
): Promise<IndexedBlock[]> {
  const blocks = new Map<number, IndexedBlock>()
  for (const header of headers.values()) blocks.set(header.number, plain(header))
  const unknown = new Set<number>()
  for (const { blockNumber: number, blockHash: hash, timestamp } of logs) {
    if (blocks.has(number)) continue
    if (timestamp === undefined) unknown.add(number)
    else blocks.set(number, { number, hash, timestamp })
  }
  const readUnknown = async (number: number) => {
    const header = await readHeader(client, number)
    if (header === undefined) throw changed(number)
    blocks.set(number, plain(header))
  }
  await pMap(unknown, readUnknown, parallel)
  for (const log of logs) {
    if (blocks.get(log.blockNumber)?.hash !== log.blockHash) throw changed(log.blockNumber)
  }
  return [...blocks.values()].sort((a, b) => a.number - b.number)
}

async function expectNoMore(
  { client, contracts }: BatchSource,
  headers: ReadonlyMap<number, Header>,
  logs: readonly RawLog[],
): Promise<void> {
  const told = new Set(logs.map(({ blockNumber }) => blockNumber))
  const silent = [...headers.values()].filter(({ number }) => !told.has(number))
  const check = async ({ number, hash, logsBloom: bloom }: Header) => {
    if (bloom === null || !(await orChanged(number, hasLogs(client, contracts, { hash, bloom }))))
      return
    throw new IndexerError('disagreement', `the node omitted the logs of block ${number}`)
  }
  await pMap(silent, check, parallel)
}

/** An RPC error means that the node does not know the block, or no longer. */
const orChanged = <T>(number: number, answer: Promise<T>): Promise<T> =>
  answer.catch((cause) => {
    const refusal =
      cause instanceof BaseError && cause.walk((each) => each instanceof RpcRequestError)
    throw refusal ? changed(number, cause) : cause
  })

const plain = ({ number, hash, timestamp }: IndexedBlock): IndexedBlock => ({
  number,
  hash,
  timestamp,
})

const changed = (block: number, cause?: unknown) =>
  new IndexerError('disagreement', `the block ${block} changed while it was read`, { cause })
