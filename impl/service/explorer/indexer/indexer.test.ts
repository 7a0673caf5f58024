import fc from 'fast-check'
import { postTask } from 'polgate-chain/tasks.ts'
import { describe, expect, it, vi } from 'vitest'
import { prepare } from '../../attestation/testing/attest.ts'
import { execute } from '../../attestation/testing/calls.ts'
import { challenge, contradict, post } from '../../attestation/testing/provocations/taskManager.ts'
import { startWorld, type World } from '../../attestation/testing/world.ts'
import { createChainFollower, type FollowLimits } from './chainFollower.ts'
import { IndexerError } from './indexerError.ts'
import { indexerHarness, patience } from './indexerHarness.fixture.ts'
import {
  afterReorganisation,
  anvilCall,
  indexerDeps,
  networkOf,
  recordFailedTask,
} from './indexing.fixture.ts'
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
  // Every kind of event: spent, challenged unsuccessfully and successfully, denied and unanswered.
  const [spent, challenged] = [await post(world), await post(world)]
  await execute(world, spent)
  const other = await contradict(world, challenged)
  await challenge(world, challenged, challenged)
  await challenge(world, challenged, other)
  await challenge(world, await post(world), other)
  await createOn(world)
  return world
})
const { start, onChain, shown, agrees } = bed

/** The state read from the chain, without times. */
function followerOf(settings: {
  readonly batchBlocks: number
  readonly limits?: FollowLimits
  readonly fetch?: typeof fetch
}) {
  const { batchBlocks, limits = { parallel: 3, maxLogs: 50 }, fetch } = settings
  const { client, index, log } = indexerDeps(bed.world, bed.store, fetch && { fetch })
  const network = networkOf(bed.world, { batchBlocks })
  const signal = new AbortController().signal
  const alone = <T>(write: () => Promise<T>) => write()
  const onBatch = async () => {}
  return createChainFollower({ client, index, log, network, limits, alone, onBatch, signal })
}

const head = async () => Number(await bed.world.transactor.client.getBlockNumber())
async function events() {
  const [row] = await bed.store.database.query<{ n: number }>(
    'select count(*)::int4 as n from explorer_events where chain_id = $1',
    [chainId],
  )
  return row?.n
}

describe('the indexer (section 4.12)', () => {
  it('shows every task with its events, newest first', async () => {
    const indexer = start()
    await agrees()
    expect((await onChain()).map(({ challenge_result: result }) => result)).toEqual([
      null,
      'unsuccessful',
      'success',
      'unchallenged',
    ])
    const last = await head()
    await vi.waitFor(() => expect(indexer.status().head).toBe(last), patience)
    expect(indexer.status()).toEqual({
      chainId,
      state: 'writing',
      head: last,
      nextBlock: last + 1,
      lag: 0,
      problem: undefined,
    })
  })

  it('begins at its first block, and ignores earlier ones', async () => {
    const rows = await onChain()
    const startBlock = rows[0]?.created_block ?? 0
    await bed.store.database.query('delete from explorer_cursors where chain_id = $1', [chainId])
    start({ network: networkOf(bed.world, { startBlock }) })
    await vi.waitFor(async () => expect(await shown()).toEqual(rows.slice(0, 1)), patience)
  })

  it('continues where it ended, and stores nothing twice', async () => {
    const first = start()
    await agrees()
    await first.close()
    const before = (await events()) ?? 0
    await create()
    await create()
    const node = nodeWith({})
    start({ fetch: node.fetch })
    await agrees()
    expect(await events()).toBe(before + 2)
    expect(node.ranges.every(([from]) => from > 10)).toBe(true)
  })

  it('shows the same for any batch size', async () => {
    const rows = await onChain()
    const settings = fc.record({
      batchBlocks: fc.integer({ min: 1, max: 40 }),
      parallel: fc.integer({ min: 1, max: 6 }),
      maxLogs: fc.integer({ min: 1, max: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(settings, async ({ batchBlocks, parallel, maxLogs }) => {
        await bed.store.explorer.rollBack(chainId, 0)
        const follower = followerOf({ batchBlocks, limits: { parallel, maxLogs } })
        await follower.follow()
        expect(await shown()).toEqual(rows)
      }),
      { numRuns: 5, endOnFailure: true },
    )
  })

  it('shows the final chain when blocks are dropped during reads', async () => {
    const settings = fc.record({
      call: fc.integer({ min: 1, max: 45 }),
      depth: fc.integer({ min: 1, max: 4 }),
      batchBlocks: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(settings, async ({ call, depth, batchBlocks }) => {
        await bed.store.explorer.rollBack(chainId, 0)
        await create()
        await create()
        const node = nodeWith({})
        const run = () => anvilCall(bed.world, 'anvil_reorg', depth, [])
        node.before = { call, run }
        const follower = followerOf({ batchBlocks, fetch: node.fetch })
        let again = 0
        while (node.calls < call || again < 3) {
          if (node.calls >= call) again += 1
          // A block changed while it was read: it must be read again.
          await follower.follow().catch((error) => expect(error).toBeInstanceOf(IndexerError))
        }
        bed.world = await afterReorganisation(bed.world)
        expect(await shown()).toEqual(await onChain())
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

  it('continues after each crash, before or after a commit', async () => {
    let turn = 0
    const crashing = {
      ...bed.store.explorer,
      async append(...args: Parameters<typeof bed.store.explorer.append>) {
        turn += 1
        if (turn % 3 === 0) throw new Error('crashed before')
        const taken = await bed.store.explorer.append(...args)
        if (turn % 3 === 1) throw new Error('crashed after')
        return taken
      },
    }
    start({ index: crashing, network: networkOf(bed.world, { batchBlocks: 3, pollMs: 10 }) })
    await agrees()
    expect(turn).toBeGreaterThan(8)
    const rows = await onChain()
    const logged = rows.flatMap((row) => [
      row.task_created_at,
      row.task_responded_at,
      row.attestation_spent_at,
      row.task_challenged_at,
    ])
    // One task was challenged twice.
    expect(await events()).toBe(logged.filter((at) => at !== null).length + 1)
  })

  it('polls the chain when it is woken, even during a poll', async () => {
    const indexer = start({ network: networkOf(bed.world, { pollMs: 600_000 }) })
    await agrees()
    for (let turn = 0; turn < 4; turn += 1) {
      indexer.wake()
      await create()
      indexer.wake()
      await agrees()
    }
  })

  it('polls immediately when a task ends, and shows tasks that never reached the chain', async () => {
    const indexer = start({ network: networkOf(bed.world, { pollMs: 600_000 }) })
    await agrees()
    const id = await recordFailedTask(bed.store, { chainId, error: 'no quorum' })
    indexer.wake()
    await vi.waitFor(
      async () =>
        expect(await bed.store.explorer.task(chainId, id)).toMatchObject({
          error: 'no quorum',
          created_block: null,
          task_created_at: expect.any(String),
        }),
      patience,
    )
    await bed.store.database.query('delete from explorer_records')
    await bed.store.database.query('delete from tasks')
    await bed.store.database.query('delete from explorer_tasks')
  })
})

describe('several indexers of one chain', () => {
  it('take over: another continues when one has stopped', async () => {
    const leaseMs = 60_000
    const one = start({ holder: 'one', leaseMs })
    await agrees()
    const other = start({ holder: 'other', leaseMs })
    await vi.waitFor(() => expect(other.status().state).toBe('standby'), patience)
    await one.close()
    await create()
    await agrees()
    expect(other.status().state).toBe('writing')
  })

  it('never write concurrently: a suspended one finds that another has taken over', async () => {
    const leaseMs = 300
    let stopped = false
    let goOn = () => {}
    let gate = Promise.resolve()
    const stop = () => {
      stopped = true
      gate = new Promise((resolve) => {
        goOn = resolve
      })
    }
    const outcomes: boolean[] = []
    const one = start({
      holder: 'one',
      leaseMs,
      // Like a suspended process: nothing runs, at any point.
      leases: {
        take: async (...args) => {
          await gate
          return await bed.store.leases.take(...args)
        },
        release: bed.store.leases.release,
      },
      index: {
        ...bed.store.explorer,
        async append(...args) {
          const late = stopped
          await gate
          const taken = await bed.store.explorer.append(...args)
          if (late) outcomes.push(taken)
          return taken
        },
      },
    })
    await agrees()
    stop()
    await create()
    const other = start({ holder: 'other', leaseMs })
    await agrees()
    expect(other.status().state).toBe('writing')
    await create()
    await agrees()
    goOn()
    await vi.waitFor(() => expect(one.status().state).toBe('standby'), patience)
    await agrees()
    // The batch that it had read before was rejected.
    expect(outcomes).toEqual(outcomes.map(() => false))
  })
})
