import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { postTask } from '../../../chain/tasks.ts'
import { prepare } from '../../attestation/testing/attest.ts'
import { startWorld, type World } from '../../attestation/testing/world.ts'
import { openStore, type Store } from '../../store/openStore.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import { type IndexerChanges, indexerDeps, rowsOnChain, rowsShown } from './indexing.fixture.ts'

export const patience = { timeout: 60_000, interval: 20 }

/**
 * A chain with contracts, and a store, for the tests of a file; their indexers end with each test,
 * and what they wrote is taken back.
 *
 * @param happens what the chain has in it from the beginning
 */
export function indexerBed(
  chainId: number,
  happens: (bed: { readonly world: World; create(): Promise<unknown> }) => Promise<unknown>,
) {
  const running: Indexer[] = []
  const bed = {
    world: undefined as unknown as World,
    store: undefined as unknown as Store,
    /** A task without a response: nobody needs to sign it. */
    async create() {
      const { task } = await prepare(bed.world)
      return await postTask(bed.world.transactor, bed.world.protocol.taskManager, task)
    },
    start(more: IndexerChanges = {}): Indexer {
      const indexer = createIndexer(indexerDeps(bed.world, bed.store, more))
      running.push(indexer)
      indexer.start()
      return indexer
    },
    onChain: () => rowsOnChain(bed.world.transactor.client, bed.world.protocol.taskManager),
    shown: () => rowsShown(bed.store, chainId),
    /** Waits until the explorer shows what the chain has. */
    agrees: () =>
      vi.waitFor(async () => expect(await bed.shown()).toEqual(await bed.onChain()), patience),
  }
  beforeAll(async () => {
    ;[bed.world, bed.store] = await Promise.all([startWorld({ expireAfter: 1_000 }), openStore()])
    await happens(bed)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((indexer) => indexer.close()))
    await bed.store.explorer.takeBack(chainId, 0)
  })
  afterAll(async () => {
    await Promise.all([bed.world.stop(), bed.store.close()])
  })
  return bed
}
