import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../openStore.ts'
import { openTestStore } from '../testing/openTestStore.ts'
import type { ChainEvent } from './chainEvent.ts'
import {
  batchOf,
  endedTaskOf,
  insertEndedTask,
  namedBlockOf,
  policyAddressOf,
  policyIdOf,
  taskIdOf,
} from './histories.fixture.ts'

/**
 * Every way in which a task can end, with its sources: the chain's events and a gateway's record.
 * In whichever order they arrive, the row shows what any of them contains.
 */
type End = Parameters<typeof endedTaskOf>[2]['end']
type EventKind = Exclude<ChainEvent['kind'], 'policyDeployed'>
type Way = {
  readonly name: string
  readonly events: readonly EventKind[]
  readonly end?: End
  /** Whether the gateway read the chain before the task ended. */
  readonly settled?: boolean
  readonly shows: Record<string, unknown>
}

const chainTime = expect.stringMatching(/^1970-01-01T00:1[89]:/)
const word = '0x0102'
const policy = { policy_id: policyIdOf(1), policy_address: policyAddressOf(1) }
const block = { created_block: namedBlockOf(0) }
const gatewayTime = '1970-01-01T00:15:00.000Z'
const offChain = { task_created_at: gatewayTime, created_txn_hash: null }
const onChain = { task_created_at: chainTime, created_txn_hash: expect.any(String) }
const result = { evaluation_result: word, policy_task_data: { policy: '0xab' } }
const answered = { task_responded_at: chainTime, evaluation_result: '0x01' }
const unanswered = { task_responded_at: null, responded_txn_hash: null, challenge_result: null }

const ways: readonly Way[] = [
  {
    name: 'success, posted',
    events: ['created', 'responded'],
    end: 'posted',
    shows: { ...policy, ...block, ...onChain, ...answered, error: null },
  },
  {
    name: 'success, posted and spent',
    events: ['created', 'responded', 'spent'],
    end: 'posted',
    shows: { ...policy, ...block, ...answered, attestation_spent_at: chainTime },
  },
  {
    name: 'success, posted and challenged',
    events: ['created', 'responded', 'challenged'],
    end: 'posted',
    shows: { ...policy, ...block, ...answered, challenge_result: 'success' },
  },
  {
    name: 'success on the chain, without a record',
    events: ['created', 'responded'],
    shows: { ...policy, ...block, ...onChain, ...answered },
  },
  {
    name: 'success that is not posted by configuration',
    events: [],
    end: 'unposted',
    shows: { ...policy, ...block, ...offChain, ...result, ...unanswered, error: null },
  },
  {
    name: 'success whose posting failed completely',
    events: [],
    end: 'postingFailed',
    shows: { ...policy, ...block, ...offChain, ...result, ...unanswered, error: 'no gas' },
  },
  {
    name: 'success whose response failed after its creation',
    events: ['created'],
    end: 'postingFailed',
    shows: { ...policy, ...block, ...onChain, ...result, ...unanswered, error: 'no gas' },
  },
  {
    name: 'success whose response is not posted yet',
    events: ['created'],
    end: 'queued',
    shows: { ...policy, ...block, ...onChain, ...result, ...unanswered, error: null },
  },
  {
    name: 'success that was spent directly',
    events: ['spent'],
    end: 'unposted',
    shows: { ...policy, ...block, ...offChain, ...result, attestation_spent_at: chainTime },
  },
  {
    name: 'success that was spent directly while it is queued',
    events: ['spent'],
    end: 'queued',
    shows: { ...policy, ...block, ...offChain, ...result, attestation_spent_at: chainTime },
  },
  {
    name: 'success whose creation the index has not read',
    events: ['responded'],
    end: 'posted',
    shows: { ...policy, ...block, ...offChain, ...answered },
  },
  ...(['failed', 'timeout'] as const).flatMap((end): Way[] => [
    {
      name: `${end} after the chain was read`,
      events: [],
      end,
      settled: true,
      shows: { ...policy, ...block, ...offChain, ...unanswered, error: `ended as ${end}` },
    },
    {
      name: `${end} before the chain was read`,
      events: [],
      end,
      settled: false,
      shows: { created_block: null, policy_id: null, ...offChain, error: `ended as ${end}` },
    },
    {
      name: `${end} here, created on chain by another sender`,
      events: ['created'],
      end,
      settled: true,
      shows: { ...policy, ...block, ...onChain, ...unanswered, error: `ended as ${end}` },
    },
  ]),
]

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) =>
        permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
      )

describe('a task in the explorer', () => {
  let store: Store
  let chain = 0
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())

  type Source = EventKind | 'record'
  /** The result after these sources, each event in a separate block, the record between blocks. */
  const shownAfter = async (order: readonly Source[], { end, settled = true }: Way) => {
    chain += 1
    const id = taskIdOf(chain, 0)
    let next = 10
    const append = async (kinds: readonly EventKind[]) => {
      const happenings = kinds.map((kind) => ({ kind, task: 0, policy: 1, flag: true }))
      await store.explorer.append(chain, batchOf(chain, next++, [happenings], 1))
    }
    await append([])
    for (const source of order) {
      if (source !== 'record') {
        await append([source])
        continue
      }
      const record = { end: end as End, policy: 1, errors: false, settled }
      await insertEndedTask(store.database, chain, endedTaskOf(chain, 0, record))
      await store.explorer.absorbRecords(chain, 10)
    }
    const row = await store.explorer.task(chain, id)
    const stats = await store.explorer.stats(chain, {
      tasks: {
        start: new Date(row?.task_created_at ?? 0),
        end: new Date(row?.task_created_at ?? 0),
      },
      policies: {},
    })
    expect(stats.total_tasks).toBe(1)
    const { results } = await store.explorer.tasksOfPolicyId(chain, policyIdOf(1), {
      page: 1,
      size: 10,
    })
    expect(results.map((each) => each.id)).toEqual(row?.policy_id === null ? [] : [id])
    return row
  }

  it.each(ways)('shows the facts of every source: $name', async (way) => {
    const sources: Source[] = [...way.events, ...(way.end === undefined ? [] : ['record' as const])]
    for (const order of permutations(sources)) {
      expect(await shownAfter(order, way), order.join(', ')).toMatchObject(way.shows)
    }
  })

  it('keeps the facts of the record when the events are rolled back', async () => {
    const way = ways.find(({ name }) => name.startsWith('success whose response failed')) as Way
    const row = await shownAfter(['created', 'record'], way)
    await store.explorer.rollBack(chain, 11)
    expect(await store.explorer.task(chain, row?.id as string)).toMatchObject({
      ...way.shows,
      ...offChain,
    })
  })
})
