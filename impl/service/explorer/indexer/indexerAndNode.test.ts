import { postTask } from 'polgate-chain/tasks.ts'
import { describe, expect, it, vi } from 'vitest'
import { prepare } from '../../attestation/testing/attest.ts'
import { execute, mine } from '../../attestation/testing/calls.ts'
import { post } from '../../attestation/testing/provocations/taskManager.ts'
import { startWorld, type World } from '../../attestation/testing/world.ts'
import { indexerHarness, patience } from './indexerHarness.fixture.ts'
import { networkOf, recordFailedTask } from './indexing.fixture.ts'
import { nodeWith } from './node.fixture.ts'

const chainId = 31_337
/** A task without a response, which needs no signatures. */
async function createOn(world: World) {
  const { task } = await prepare(world)
  return await postTask(world.transactor, world.protocol.taskManager, task)
}
const create = () => createOn(bed.world)
const bed = indexerHarness(chainId, async () => {
  const world = await startWorld({ expireAfter: 1_000 })
  await execute(world, await post(world))
  await mine(world, 20)
  await createOn(world)
  await createOn(world)
  return world
})
const { start, onChain, shown, agrees } = bed

describe('an indexer and its node', () => {
  it.each([
    { what: 'a number of blocks', limits: { maxBlocks: 4 } },
    { what: 'a number of logs', limits: { maxLogs: 2 } },
    { what: 'a number of blocks, and times out otherwise', limits: { silentAbove: 5 } },
  ])('requests less when it serves at most $what', async ({ limits }) => {
    const node = nodeWith(limits)
    start({ fetch: node.fetch, timeout: 500 })
    await agrees()
    expect(node.refused).toBeGreaterThan(0)
    expect(node.ranges.some(([from, to]) => to > from)).toBe(true)
  })

  it('continues when an unavailable node is back, and shows records meanwhile', async () => {
    const node = nodeWith({})
    const indexer = start({ fetch: node.fetch })
    await agrees()
    node.away = true
    await create()
    await vi.waitFor(() => expect(indexer.status().problem).toBeDefined(), patience)
    expect(indexer.status().problem).not.toContain(bed.world.anvil.url)
    const id = await recordFailedTask(bed.store, { chainId, error: 'no quorum' })
    await vi.waitFor(
      async () => expect(await bed.store.explorer.task(chainId, id)).toBeDefined(),
      patience,
    )
    await bed.store.database.query('delete from explorer_records')
    await bed.store.database.query('delete from tasks')
    node.away = false
    await vi.waitFor(async () => {
      const chain = await onChain()
      expect((await shown()).filter((row) => row.id !== id)).toEqual(chain)
      expect(indexer.status().problem).toBeUndefined()
    }, patience)
    await bed.store.database.query('delete from explorer_tasks')
  })

  it('writes nothing from another chain', async () => {
    const indexer = start({ network: { ...networkOf(bed.world), chainId: 1 } })
    await vi.waitFor(
      () => expect(indexer.status().problem).toBe('the node is on chain 31337, expected 1'),
      patience,
    )
    expect(await bed.store.explorer.nextBlock(1)).toBeUndefined()
  })

  it('ignores logs that are not events, and continues', async () => {
    let left = 0
    const log = {
      info: () => {},
      warn: ({ logs }: { readonly logs?: number }) => {
        left += logs ?? 0
      },
    }
    const node = nodeWith({ strangeLogs: true })
    start({ fetch: node.fetch, log })
    await agrees()
    expect(left).toBe(node.strange)
    expect(node.strange).toBeGreaterThan(0)
  })

  it('retries inconsistent responses', async () => {
    const node = nodeWith({ otherHashes: 6 })
    start({ fetch: node.fetch, network: networkOf(bed.world, { batchBlocks: 5 }) })
    await agrees()
    expect(node.otherHashes).toBe(0)
  })

  it('misses nothing when a lagging node silently omits logs', async () => {
    const node = nodeWith({})
    start({ fetch: node.fetch })
    await agrees()
    node.forgetful = 3
    await create()
    await agrees()
    expect(node.forgetful).toBe(0)
  })

  it('tolerates a briefly lagging node without a rollback', async () => {
    const rollBack = vi.fn(bed.store.explorer.rollBack)
    const node = nodeWith({})
    const indexer = start({ fetch: node.fetch, index: { ...bed.store.explorer, rollBack } })
    await agrees()
    for (let turn = 0; turn < 3; turn += 1) {
      node.behind = 2
      await vi.waitFor(() => expect(node.behind).toBe(0), patience)
      await create()
      await agrees()
    }
    expect(rollBack).not.toHaveBeenCalled()
    expect(indexer.status().problem).toBeUndefined()
  })

  it('closes promptly even if its node never responds', async () => {
    const node = nodeWith({ silentAbove: 0 })
    const indexer = start({ fetch: node.fetch })
    await vi.waitFor(() => expect(node.refused).toBeGreaterThan(0), patience)
    await indexer.close()
    expect(indexer.status().state).toBe('closed')
    expect(await bed.store.leases.take(`indexer/${chainId}`, 'another', 1)).toBe(true)
    await bed.store.leases.release(`indexer/${chainId}`, 'another')
  })
})
