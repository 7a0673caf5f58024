import fc from 'fast-check'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { ExplorerPage } from 'polgate-protocol/explorer.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../engines.fixture.ts'
import type { Store } from '../openStore.ts'
import { openEmptyStore } from '../testing/openEmptyStore.ts'
import {
  batchOf,
  endedTaskOf,
  insertEndedTask,
  policyAddressOf,
  policyIdOf,
  type Step,
  steps,
  taskIdOf,
  timeOfBlock,
} from './histories.fixture.ts'
import { naiveExplorer } from './naiveExplorer.fixture.ts'
import type { EndedTask } from './records.ts'
import { rollBack } from './rollBack.ts'

type Read<T> = (page: { page: number; size: number; asOf?: number }) => Promise<ExplorerPage<T>>

/** All pages of a list, concatenated. */
async function joined<T>(read: Read<T>, size: number, asOf?: number): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const found = await read({ page, size, ...(asOf === undefined ? {} : { asOf }) })
    rows.push(...found.results)
    if (page * size >= found.total) {
      expect(found.total).toBe(rows.length)
      return rows
    }
  }
}

describe.each(engines)('the explorer store on the $name engine', ({ url }) => {
  let store: Store
  let chainId = 0
  beforeAll(async () => {
    store = await openEmptyStore(url)
  })
  afterAll(() => store.close())

  /** Checks that ordinals are dense and in the order of their list. */
  const expectSoundNumbers = async (chain: number) => {
    const list = (ordinal: string, key: string, order: string, where = 'true') =>
      `select '${ordinal}' as list, count(*) from (
         select ${ordinal} as n, row_number() over (partition by ${key} order by ${order}) as wanted
         from explorer_tasks where chain_id = $1 and ${where}
       ) rows where n is distinct from wanted`
    const wrong = await store.database.query(
      `select * from (
         ${list('n', 'chain_id', 'list_block, list_seq, id')}
         union all ${list('off_n', 'chain_id', 'admitted_at, id', 'posted_block is null')}
         union all ${list('policy_id_n', 'policy_id', 'n', 'policy_id is not null')}
         union all ${list('policy_address_n', 'policy_address', 'n', 'policy_address is not null')}
         union all select 'without', count(*) from explorer_tasks where chain_id = $1 and (
           (policy_id is null and policy_id_n is not null) or policy_id_late > (
             select count(*) from explorer_tasks o
             where o.chain_id = $1 and o.policy_id = explorer_tasks.policy_id)
           or n_late > (select count(*) from explorer_tasks o where o.chain_id = $1)
           or (posted_block is null) <> (off_n is not null)
           or (created_at is null) <> (admitted_at is not null))
       ) checks where count > 0`,
      [chain],
    )
    expect(wrong).toEqual([])
  }

  const setUp = (rollBack: (chainId: number, block: number) => Promise<void>) => {
    chainId += 1
    const chain = chainId
    const naive = naiveExplorer()
    const waiting = new Map<string, EndedTask>()
    let salt = 0
    const run = async (step: Step) => {
      const next = naive.next() ?? 10
      if (step.do === 'append') {
        const batch = batchOf(chain, next, step.blocks, ++salt)
        naive.append(batch, waiting)
        expect(await store.explorer.append(chain, batch)).toBe(true)
        expect(await store.explorer.append(chain, batch)).toBe(false)
      } else if (step.do === 'rollBack') {
        naive.rollBack(Math.max(10, next - step.blocks), waiting)
        await rollBack(chain, Math.max(10, next - step.blocks))
      } else if (step.do === 'record') {
        const task = endedTaskOf(chain, step.task, step.record)
        waiting.set(task.id, task)
        await insertEndedTask(store.database, chain, task)
      } else await absorb(step.limit)
    }
    const absorb = async (limit: number) => {
      const oldest = [...waiting.values()].sort(
        (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
      )
      const taken = naive.next() === undefined ? [] : oldest.slice(0, limit)
      naive.absorb(taken)
      for (const { id } of taken) waiting.delete(id)
      expect(await store.explorer.absorbRecords(chain, limit)).toBe(taken.length)
    }
    const { explorer } = store
    const lists: Record<string, Read<{ id: string }>> = {
      all: (page) => explorer.tasks(chain, page),
      ...Object.fromEntries(
        [0, 1, 2].flatMap(
          (n) =>
            [
              [`id ${n}`, (page) => explorer.tasksOfPolicyId(chain, policyIdOf(n), page)],
              [
                `address ${n}`,
                (page) => explorer.tasksOfPolicyAddress(chain, policyAddressOf(n), page),
              ],
            ] as [string, Read<{ id: string }>][],
        ),
      ),
    }
    return { chain, naive, run, lists, explorer }
  }

  const created = (task: number) => ({ kind: 'created', task, policy: 0, flag: false }) as const
  /** After the first of two steps task 5 has one event left, which the second removes. */
  const inTwoSteps: readonly Step[] = [
    { do: 'append', blocks: [[created(5)], [created(5), created(0), created(0)]] },
    {
      do: 'record',
      task: 5,
      record: { end: 'failed', policy: 0, errors: false, settled: false },
    },
    { do: 'rollBack', blocks: 2 },
  ]
  /** Rolled back in steps of a few events, as after a deep reorganisation, or at once. */
  const eventsAtATime = fc.constantFrom(1, 2, 10_000)

  it('matches its history for any order of events and rollbacks', async () => {
    const sizes = fc.integer({ min: 1, max: 4 })
    await fc.assert(
      fc.asyncProperty(steps, sizes, eventsAtATime, async (history, size, atATime) => {
        const { chain, naive, run, lists, explorer } = setUp(
          rollBack(store.database, systemClock, atATime),
        )
        for (const step of history) await run(step)
        expect(await explorer.nextBlock(chain)).toBe(naive.next())

        await expectSoundNumbers(chain)
        const expected = naive.list()
        const summaries = await joined((page) => explorer.tasks(chain, page), size)
        expect(summaries.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        const details = await Promise.all(
          summaries.map(async ({ id }) => explorer.task(chain, id.toUpperCase().replace('X', 'x'))),
        )
        expect(details.map((row) => row && { ...row, updated_at: '' })).toEqual(expected)
        for (const [i, summary] of summaries.entries()) expect(details[i]).toMatchObject(summary)
        for (let n = 0; n < 8; n++)
          if (!expected.some(({ id }) => id === taskIdOf(chain, n)))
            expect(await explorer.task(chain, taskIdOf(chain, n))).toBeUndefined()

        for (const [name, read] of Object.entries(lists)) {
          const ofList = expected.filter(
            (row) =>
              name === 'all' ||
              [0, 1, 2].some(
                (n) =>
                  (name === `id ${n}` && row.policy_id === policyIdOf(n)) ||
                  (name === `address ${n}` && row.policy_address === policyAddressOf(n)),
              ),
          )
          const rows = await joined(read, size)
          expect({ name, ids: rows.map(({ id }) => id) }).toEqual({
            name,
            ids: ofList.map(({ id }) => id),
          })
        }
        expect(await joined((page) => explorer.policies(chain, page), size)).toEqual(
          naive.policies(),
        )
        const times = [0, 11, 14].map((block) => timeOfBlock(block) * 1000)
        for (const start of times)
          for (const end of [...times, 900_000, 1_150_001]) {
            const window = { start: new Date(start), end: new Date(end) }
            expect(await explorer.stats(chain, { tasks: window, policies: window })).toEqual(
              naive.stats(start, end),
            )
          }
        const all = { tasks: { start: new Date(0) }, policies: {} }
        expect(await explorer.stats(chain, all)).toEqual({
          total_tasks: expected.length,
          total_policies: naive.policies().length,
        })
      }),
      { numRuns: 20, examples: [[[...inTwoSteps], 1, 2]] },
    )
  })

  it('has each row once in the pages of an earlier list while rows arrive', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (history, size) => {
        // Two events at a time, as after a deep reorganisation.
        const { chain, naive, run, lists } = setUp(rollBack(store.database, systemClock, 2))
        // By its text, as most steps leave most lists as they were.
        const seen = new Map<string, { list: string; total: number; ids: string[] }>()
        let unrest = naive.unrest()
        for (const step of history) {
          await run(step)
          await expectSoundNumbers(chain)
          // Rows that left or moved within the list cannot be found at their earlier position.
          if (naive.unrest() !== unrest) seen.clear()
          unrest = naive.unrest()
          for (const [list, read] of Object.entries(lists)) {
            const ids = (await joined(read, 100)).map(({ id }) => id)
            const found = { list, total: ids.length, ids }
            if (ids.length > 0) seen.set(JSON.stringify(found), found)
          }
        }
        for (const { list, total, ids } of seen.values()) {
          const rows = await joined(lists[list] as Read<{ id: string }>, size, total)
          expect({ list, total, ids: rows.map(({ id }) => id) }).toEqual({ list, total, ids })
        }
      }),
      { numRuns: 12 },
    )
  })
})
