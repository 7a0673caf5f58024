import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../engines.fixture.ts'
import type { Store } from '../openStore.ts'
import { openEmptyStore } from '../testing/openEmptyStore.ts'
import type { ChainEvent } from './chainEvent.ts'
import {
  batchOf,
  endedTaskOf,
  insertEndedTask,
  policyAddressOf,
  policyIdOf,
  taskIdOf,
  timeOfBlock,
} from './histories.fixture.ts'

const happening = (kind: ChainEvent['kind'], task: number, policy = 0) => ({
  kind,
  task,
  policy,
  flag: true,
})

const places = [
  ...engines.map((engine) => ({ ...engine, ownThread: undefined })),
  { name: 'embedded', url: undefined, ownThread: true },
]

describe.each(places)(
  'the explorer store on the $name engine, own thread: $ownThread',
  ({ url, ownThread }) => {
    let now = 1_800_000_000_000
    let store: Store
    let chain = 0
    beforeAll(async () => {
      store = await openEmptyStore(url, { clock: () => now, ownThread })
    })
    afterAll(() => store.close())
    beforeEach(() => {
      chain += 1
    })

    const idOf = (n: number) => taskIdOf(chain, n)
    const appended = (from: number, blocks: Parameters<typeof batchOf>[2], salt = 1) =>
      store.explorer.append(chain, batchOf(chain, from, blocks, salt))
    const page = (members: { page?: number; size?: number; asOf?: number } = {}) => ({
      page: 1,
      size: 10,
      ...members,
    })
    const idsOf = async (members = {}) =>
      (await store.explorer.tasks(chain, page(members))).results.map(({ id }) => id)

    it('is empty for an unknown chain', async () => {
      const { explorer } = store
      const empty = { total: 0, page: 1, size: 10, results: [] }
      expect(await explorer.nextBlock(chain)).toBeUndefined()
      expect(await explorer.knownBlocks(chain, { limit: 10 })).toEqual([])
      expect(await explorer.tasks(chain, page())).toEqual(empty)
      expect(await explorer.policies(chain, page({ asOf: 7 }))).toEqual(empty)
      expect(await explorer.tasksOfPolicyId(chain, policyIdOf(0), page())).toEqual(empty)
      expect(await explorer.tasksOfPolicyAddress(chain, policyAddressOf(0), page())).toEqual(empty)
      expect(await explorer.task(chain, idOf(0))).toBeUndefined()
      expect(await explorer.policy(chain, policyAddressOf(0))).toBeUndefined()
      expect(await explorer.absorbRecords(chain, 5)).toBe(0)
      await explorer.rollBack(chain, 0)
      expect(await explorer.nextBlock(chain)).toBeUndefined()
    })

    it('stores a batch once when several processes append it concurrently', async () => {
      const outcomes = await Promise.all(
        [1, 2, 3].map((salt) => appended(10, [[happening('created', 1)]], salt)),
      )
      expect(outcomes.toSorted()).toEqual([false, false, true])
      expect(await idsOf()).toEqual([idOf(1)])
      expect(await store.explorer.nextBlock(chain)).toBe(11)
      // A former leader that does not know how far the other process has read.
      expect(await appended(10, [[happening('created', 2)]])).toBe(false)
      expect(await appended(12, [[happening('created', 2)]])).toBe(false)
      expect(await idsOf()).toEqual([idOf(1)])
    })

    it('rejects a whole batch that lacks the block of an event', async () => {
      const batch = batchOf(chain, 10, [[happening('created', 1)], []], 1)
      await expect(
        store.explorer.append(chain, { ...batch, blocks: batch.blocks.slice(1) }),
      ).rejects.toThrow('Block 10 has an event but is missing from the blocks of its batch')
      expect(await store.explorer.nextBlock(chain)).toBeUndefined()
      expect(await idsOf()).toEqual([])
    })

    it('appends, rolls back and reads records sequentially, in whichever process', async () => {
      await appended(10, [[happening('created', 0)]])
      const lanes = Array.from({ length: 4 }, async (_, lane) => {
        for (let i = 0; i < 5; i++) {
          const next = (await store.explorer.nextBlock(chain)) as number
          await appended(next, [[happening('created', lane), happening('responded', i)]], next)
          if (lane === 0 && i % 2 === 1) await store.explorer.rollBack(chain, next - 1)
          const { total, results } = await store.explorer.tasks(chain, page())
          expect(results).toHaveLength(total)
        }
      })
      await Promise.all(lanes)
      const { total, results } = await store.explorer.tasks(chain, page())
      expect(results).toHaveLength(total)
      expect(new Set(results.map(({ id }) => id)).size).toBe(total)
    })

    it('cuts pages at their boundaries, also past the end', async () => {
      await appended(10, [[1, 2, 3, 4, 5].map((n) => happening('created', n))])
      const all = await idsOf()
      expect(all).toEqual([1, 2, 3, 4, 5].map(idOf).toSorted().reverse())
      expect(await idsOf({ page: 2, size: 2 })).toEqual(all.slice(2, 4))
      expect(await idsOf({ page: 3, size: 2 })).toEqual(all.slice(4))
      for (const beyond of [4, 2 ** 31, Number.MAX_SAFE_INTEGER])
        expect(await store.explorer.tasks(chain, page({ page: beyond, size: 100 }))).toEqual({
          total: 5,
          page: beyond,
          size: 100,
          results: [],
        })
      const earlier = await store.explorer.tasks(chain, page({ asOf: 3 }))
      expect(earlier.total).toBe(3)
      expect(earlier.results.map(({ id }) => id)).toEqual(all.slice(2))
      expect(await idsOf({ asOf: 2 ** 40 })).toEqual(all)
      expect(await idsOf({ asOf: 0 })).toEqual([])
    })

    it('still shows a late row of a list when an earlier row leaves it', async () => {
      const { explorer } = store
      const record = { end: 'unposted', policy: 0, errors: false, settled: true } as const
      await appended(10, [[]])
      await insertEndedTask(store.database, chain, endedTaskOf(chain, 0, record))
      expect(await explorer.absorbRecords(chain, 5)).toBe(1)
      // Order by the blocks that they name: 0, 2, 1.
      const [oldest, older, newer] = [0, 2, 1]
      await appended(11, [[happening('created', older), happening('created', newer)]], 2)
      await appended(12, [[happening('responded', newer)]], 3)
      await appended(13, [[happening('responded', older)]], 4)
      const ofPolicy = async (asOf?: number) => {
        const found = await explorer.tasksOfPolicyId(chain, policyIdOf(0), {
          ...page(),
          ...(asOf === undefined ? {} : { asOf }),
        })
        return found.results.map(({ id }) => id)
      }
      expect(await ofPolicy()).toEqual([newer, older, oldest].map(idOf))
      expect(await ofPolicy(2)).toEqual([newer, oldest].map(idOf))
      // On chain the response has another policy.
      await appended(14, [[happening('responded', oldest, 1)]], 5)
      expect(await ofPolicy()).toEqual([newer, older].map(idOf))
      expect(await ofPolicy(2)).toEqual([newer, older].map(idOf))
    })

    it('lists policies to be described, with retries, until they are', async () => {
      const { explorer } = store
      await appended(10, [[happening('policyDeployed', 0, 0)], [happening('policyDeployed', 0, 1)]])
      const due = async () =>
        (await explorer.undescribedPolicies(chain, 10)).map(({ address, attempts }) => ({
          address,
          attempts,
        }))
      const [first, second] = [policyAddressOf(0), policyAddressOf(1)]
      expect(await due()).toEqual([
        { address: first, attempts: 0 },
        { address: second, attempts: 0 },
      ])
      await explorer.describePolicy(chain, first, { again: new Date(now + 1000) })
      expect(await due()).toEqual([{ address: second, attempts: 0 }])
      now += 1000
      expect(await due()).toEqual([
        { address: second, attempts: 0 },
        { address: first, attempts: 1 },
      ])
      const described = {
        name: 'a\u0000b',
        version: '1',
        author: null,
        description: '\ud800',
        verified: true,
      }
      await explorer.describePolicy(chain, first, described)
      await explorer.describePolicy(
        chain,
        taskIdOf(chain, 9).slice(0, 42) as typeof first,
        described,
      )
      expect(await due()).toEqual([{ address: second, attempts: 0 }])
      expect(await explorer.policy(chain, first)).toMatchObject({
        name: 'a\ufffdb',
        version: '1',
        author: null,
        description: '\ufffd',
        verified: true,
        policy_deployed_at: new Date(timeOfBlock(10) * 1000).toISOString(),
      })
      // Deployed again on another branch: its description is unknown.
      await explorer.rollBack(chain, 10)
      expect(await explorer.policy(chain, first)).toBeUndefined()
      await appended(10, [[happening('policyDeployed', 0, 0)]])
      expect(await explorer.policy(chain, first)).toMatchObject({ name: null, verified: null })
      expect(await due()).toEqual([{ address: first, attempts: 0 }])
    })

    it('stores the last 256 blocks, and older ones with events', async () => {
      await appended(10, [[happening('created', 1)], []])
      for (let block = 12; block < 24; block++) await appended(block, [[]], block)
      await appended(24, [[]])
      expect(await store.explorer.knownBlocks(chain, { limit: 3 })).toHaveLength(3)
      expect(
        (await store.explorer.knownBlocks(chain, { limit: 9, before: 13 })).map(
          ({ number }) => number,
        ),
      ).toEqual([12, 11, 10])
      await appended(
        25,
        Array.from({ length: 250 }, () => []),
      )
      const numbers = (await store.explorer.knownBlocks(chain, { limit: 100 })).map(
        ({ number }) => number,
      )
      expect(numbers).toEqual([274, 24, 23, 22, 21, 20, 19, 10])
    })

    it('reports when a row last changed, and tolerates an out-of-range chain timestamp', async () => {
      await appended(10, [[happening('created', 1), happening('created', 2)]])
      const before = now
      now += 5000
      const batch = batchOf(chain, 11, [[happening('responded', 1)]], 1)
      const blocks = batch.blocks.map((block) => ({ ...block, timestamp: 2 ** 52 }))
      await store.explorer.append(chain, { ...batch, blocks })
      expect(await store.explorer.task(chain, idOf(1))).toMatchObject({
        updated_at: new Date(now).toISOString(),
        task_responded_at: '+275760-09-13T00:00:00.000Z',
      })
      expect(await store.explorer.task(chain, idOf(2))).toMatchObject({
        updated_at: new Date(before).toISOString(),
      })
    })
  },
)
