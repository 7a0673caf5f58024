import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { Protocol } from 'polgate-chain/deploy.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import type { Store } from '../../store/openStore.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import { type IndexerChanges, indexerDeps, rowsOnChain, rowsShown } from './indexing.fixture.ts'

type Chain = {
  readonly anvil: RunningAnvil
  readonly protocol: Protocol
  readonly transactor: Transactor
  stop(): Promise<unknown>
}

export const patience = { timeout: 60_000, interval: 20 }

/**
 * A chain with contracts, and a store, for the tests of a file. Indexers end with each test, and
 * their rows are rolled back.
 *
 * @param boot starts a chain with its initial contents
 */
export function indexerHarness<World extends Chain>(chainId: number, boot: () => Promise<World>) {
  const running: Indexer[] = []
  const bed = {
    world: undefined as unknown as World,
    store: undefined as unknown as Store,
    start(more: IndexerChanges = {}): Indexer {
      const indexer = createIndexer(indexerDeps(bed.world, bed.store, more))
      running.push(indexer)
      indexer.start()
      return indexer
    },
    onChain: () => rowsOnChain(bed.world.transactor.client, bed.world.protocol.taskManager),
    shown: () => rowsShown(bed.store, chainId),
    /** Waits until the explorer matches the chain. */
    agrees: () =>
      vi.waitFor(async () => expect(await bed.shown()).toEqual(await bed.onChain()), patience),
  }
  beforeAll(async () => {
    ;[bed.world, bed.store] = await Promise.all([boot(), openTestStore()])
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((indexer) => indexer.close()))
    await bed.store.explorer.rollBack(chainId, 0)
  })
  afterAll(async () => {
    await Promise.all([bed.world.stop(), bed.store.close()])
  })
  return bed
}
