import type { PublicClient } from 'viem'
import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'
import type { ExplorerIndex } from '../../store/explorer/explorerIndex.ts'
import { createBatchSize } from './batchSize.ts'
import { commonAncestor } from './commonAncestor.ts'
import type { FollowedNetwork } from './followedNetwork.ts'
import { type Header, readHeader } from './header.ts'
import { IndexerError } from './indexerError.ts'
import type { IndexerLog } from './indexerLog.ts'
import { readAhead } from './readAhead.ts'
import { type Batch, readBatch } from './readBatch.ts'

/** Limits of reading. */
export type FollowLimits = {
  /** Ranges read in parallel. */
  readonly parallel: number
  /** Logs stored in one batch. */
  readonly maxLogs: number
}

export type FollowerDeps = {
  readonly index: Pick<ExplorerIndex, 'nextBlock' | 'knownBlocks' | 'append' | 'rollBack'>
  readonly client: PublicClient
  readonly network: FollowedNetwork
  readonly limits: FollowLimits
  /**
   * Runs a write while no other process writes the chain.
   * @throws when another process has taken over
   */
  readonly alone: <T>(write: () => Promise<T>) => Promise<T>
  readonly log: IndexerLog
  /** Called after each stored batch. */
  readonly onBatch: (batch: Batch) => Promise<void>
  /** Cancels waiting. */
  readonly signal: AbortSignal
}

export type ChainFollower = {
  /**
   * Reads new blocks, and rolls back dropped ones (decision X5).
   *
   * @throws IndexerError, viem's errors, errors of the store; a later call continues
   */
  follow(): Promise<void>
  /** Drops the cached state of the index, which another process may have changed. */
  forget(): void
  readonly head: number | undefined
  readonly nextBlock: number | undefined
}

/**
 * A lagging node looks like a chain that became shorter, so that is believed only after this many
 * polls.
 */
const shorterTimes = 3

type Position = { next: number; tip: IndexedBlock | undefined }

export function createChainFollower(deps: FollowerDeps): ChainFollower {
  const { index, client, network, log, alone } = deps
  const { chainId } = network
  const size = createBatchSize({ maxBlocks: network.batchBlocks, maxLogs: deps.limits.maxLogs })
  const source = { client, contracts: network, maxLogs: deps.limits.maxLogs }
  let position: Position | undefined
  let head: number | undefined
  let nextBlock: number | undefined
  let rightChain = false
  let shorter = 0

  async function follow(): Promise<void> {
    try {
      if (!rightChain) await checkChain()
      while (!deps.signal.aborted && (await step()) === 'again');
    } catch (error) {
      // The node may be a different one after a reconnect, and a failed write may have been
      // committed.
      rightChain = false
      position = undefined
      throw error
    }
  }

  async function checkChain(): Promise<void> {
    const actual = await client.getChainId()
    if (actual !== chainId) {
      throw new IndexerError('wrong-chain', `the node is on chain ${actual}, expected ${chainId}`)
    }
    rightChain = true
  }

  async function step(): Promise<'again' | 'done'> {
    const latest = await readHeader(client, 'latest')
    if (latest === undefined) throw new IndexerError('disagreement', 'the node has no latest block')
    head = latest.number
    position ??= await readPosition()
    nextBlock = position.next
    const { next, tip } = position
    if (latest.number >= next) {
      shorter = 0
      return await readUpTo(latest, position)
    }
    if (tip === undefined) return 'done'
    if (latest.number === tip.number) {
      shorter = 0
      return latest.hash === tip.hash ? 'done' : await rollBack(undefined)
    }
    return await whenShorter(latest)
  }

  async function readPosition(): Promise<Position> {
    const next = (await index.nextBlock(chainId)) ?? network.startBlock
    const [newest] = await index.knownBlocks(chainId, { limit: 1 })
    return { next, tip: newest?.number === next - 1 ? newest : undefined }
  }

  async function readUpTo(latest: Header, at: Position): Promise<'again' | 'done'> {
    const batches = readAhead({
      read: (range) => readBatch(source, { ...range, latest }),
      from: at.next,
      to: latest.number,
      size,
      parallel: deps.limits.parallel,
    })
    for await (const batch of batches) {
      if (deps.signal.aborted) return 'done'
      if (at.tip !== undefined && batch.parentHash !== at.tip.hash) return await rollBack(undefined)
      const [odd] = batch.odd
      if (odd !== undefined) {
        const { blockNumber, logIndex, address } = odd
        const first = { blockNumber, logIndex, address }
        log.warn({ chainId, first, logs: batch.odd.length }, 'ignored logs that are not events')
      }
      const { from, to, blocks, events } = batch
      const taken = await alone(() => index.append(chainId, { from, to, blocks, events }))
      if (!taken) {
        // Another process has written: the cached position is outdated.
        position = undefined
        return 'again'
      }
      at.next = to + 1
      at.tip = batch.tip
      nextBlock = at.next
      await deps.onBatch(batch)
    }
    return 'done'
  }

  async function whenShorter(latest: Header): Promise<'again' | 'done'> {
    const below = latest.number + 1
    const [known] = await index.knownBlocks(chainId, { limit: 1, before: below })
    const sameSoFar = known === undefined || (await isSame(known))
    shorter += 1
    if (sameSoFar && shorter < shorterTimes) return 'done'
    shorter = 0
    return await rollBack(below)
  }

  const isSame = async ({ number, hash }: IndexedBlock): Promise<boolean> =>
    (await readHeader(client, number))?.hash === hash

  /** Rolls back to the newest block that the chain still has, at most to the one before `below`. */
  async function rollBack(below: number | undefined): Promise<'again'> {
    // A node of another chain would cause a rollback of everything.
    await checkChain()
    const { ancestor, lowest } = await commonAncestor({ index, chainId, isSame, below })
    const next =
      ancestor === undefined
        ? Math.min(network.startBlock, lowest ?? network.startBlock)
        : ancestor.number + 1
    if (position !== undefined && next >= position.next) {
      throw new IndexerError(
        'disagreement',
        `the block ${next - 1} exists, but was missing just before`,
      )
    }
    log.warn(
      { chainId, fromBlock: next, readTo: (position?.next ?? next) - 1 },
      'chain reorganisation: rolling back dropped blocks',
    )
    await alone(() => index.rollBack(chainId, next))
    position = undefined
    return 'again'
  }

  return {
    follow,
    forget() {
      position = undefined
      nextBlock = undefined
    },
    get head() {
      return head
    },
    get nextBlock() {
      return nextBlock
    },
  }
}
