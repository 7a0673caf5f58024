import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { ask, explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import { countsOf, everything } from '../kit/scenarios/explorerCounts.ts'
import { acceptedList, callAll, expectPage, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { shownPolicy } from '../kit/scenarios/explorerShown.ts'
import {
  copyPolicy,
  createOwnTask,
  factoryOf,
  failedTaskNow,
  listed,
  ownList,
} from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds, transactorOf } from '../kit/scenarios/newClient.ts'

/** Section 4.12: lists and counts during changes. */
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ id }) => String(id).toLowerCase())

/** The query of the next page named by a response; undefined if there is none. */
function nextOf({ exchange }: Answer): string | undefined {
  const next = /<([^>]*)>[^<]*?;\s*rel="?next\b/i
  const [, target] = next.exec(exchange.headers.link ?? '') ?? []
  return target === undefined ? undefined : new URL(target, exchange.request.url).search.slice(1)
}

/** Reads a list in pages of two, and creates a task after the first page. */
async function readWhileGrowing(
  t: CheckContext,
  path: string,
  pages: (next: (answer: Answer) => Promise<void>) => Promise<string[]>,
): Promise<{ before: readonly string[]; read: readonly string[] }> {
  const own = await ownList(t)
  const before = idsOf(await callAll(t, path))
  let made = false
  const read = await pages(async (answer) => {
    if (made) return
    made = true
    const { total } = expectPage(answer, { page: 1, size: 2 })
    await createOwnTask(t, own)
    await listed(t, path, total + 1)
  })
  return { before, read }
}

const missing = (before: readonly string[], read: readonly string[]) =>
  before.filter((id) => !read.includes(id))

const twice = (read: readonly string[]) => read.filter((id, at) => read.indexOf(id) !== at)

export const explorerGrowth: readonly Check[] = [
  {
    // 4.12-25: The content of consecutive pages while rows arrive.
    id: 'explorer.growth.pages',
    title: 'observed: whether a task is missing or duplicated if one is added while pages are read',
    clauses: ['4.12-25'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const { byId } = await ownList(t)
      const { before, read } = await readWhileGrowing(t, byId, async (next) => {
        const rows: string[] = []
        for (let page = 1, more = true; more; page++) {
          const answer = await ask(t, byId, { query: { page, size: 2 } })
          const { results, total } = expectPage(answer, { page, size: 2 })
          rows.push(...idsOf(results))
          await next(answer)
          more = page * 2 < total
        }
        return rows
      })
      observed(t, 'missing-tasks', 'missing tasks', missing(before, read))
      t.observe(`duplicates: ${twice(read).length}`)
    },
  },
  {
    // 4.12-35: Whether a page links to the next one.
    // 4.12-25: The content of consecutive pages while rows arrive.
    id: 'explorer.growth.links',
    title: 'observed: pages that are read by their links while tasks are added',
    clauses: ['4.12-35', '4.12-25'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const { byAddress } = await ownList(t)
      const first = await ask(t, byAddress, { query: { size: 2 } })
      expectPage(first, { page: 1, size: 2 })
      const link = nextOf(first)
      observed(t, 'link', 'the link of a page', link ?? 'none')
      if (link === undefined) return
      const { before, read } = await readWhileGrowing(t, byAddress, async (next) => {
        const rows: string[] = []
        let query: string | undefined = 'size=2'
        for (let page = 1; query !== undefined; page++) {
          const answer: Answer = await ask(t, byAddress, { query })
          rows.push(...idsOf(expectPage(answer, { page, size: 2 }).results))
          await next(answer)
          query = nextOf(answer)
        }
        return rows
      })
      observed(t, 'missing-tasks', 'missing tasks', missing(before, read))
      observed(t, 'repeated-tasks', 'duplicate tasks', twice(read))
    },
  },
  {
    // 4.12-14: A count covers what happened within its window.
    // 4.12-19: A task that was created appears in the list.
    // 4.12-20: A policy that was deployed appears in the list.
    // 4.12-16: total is the number of rows in the whole list, independent of page and size.
    // 4.12-11: /stats returns total_tasks and total_policies, numbers.
    id: 'explorer.growth.counts',
    title: 'lists and counts grow by what was created: tasks, a task that fails, a policy',
    clauses: ['4.12-14', '4.12-19', '4.12-20', '4.12-16', '4.12-11'],
    level: 'must',
    needs: [...ownNeeds, 'owner'],
    exclusive: true,
    run: async (t) => {
      const own = await ownList(t)
      const transactor = await transactorOf(t)
      const factory = await factoryOf(t, own.shown)
      const total = async (path: string) => (await fetchPage(t, path, 1, 1)).total
      // Earlier tasks may be posted late: read until nothing changed in between.
      const look = async () => {
        for (let attempt = 0; ; attempt++) {
          const tasks = await total('/task')
          const counts = await countsOf(t, everything)
          const rest = { policies: await total('/policy'), own: await total(own.byId) }
          if ((await total('/task')) === tasks || attempt === 20) return { tasks, counts, ...rest }
        }
      }
      const before = await look()
      const [policy, failed] = await Promise.all([
        copyPolicy(t, transactor, t.client(fixture.simple).policyAddress, factory),
        failedTaskNow(t),
        createOwnTask(t, own),
        createOwnTask(t, own),
      ])
      await listed(t, own.byId, before.own + 2)
      await shownPolicy(t, policy)
      const after = await look()
      expectEqual(after.own - before.own, 2, 'number of additional tasks of the policy')
      expectEqual(after.policies - before.policies, 1, 'number of additional policies')
      const counted = after.counts.total_policies - before.counts.total_policies
      expectEqual(counted, 1, 'number of additional policies counted')
      const more = after.tasks - before.tasks
      const expected = failed ? 3 : 2
      expectThat(more >= expected, 'number of additional tasks', `at least ${expected}`, more)
      const grown = after.counts.total_tasks - before.counts.total_tasks
      expectEqual(
        grown,
        more,
        'number of additional tasks counted, compared with the total of the list',
      )
    },
  },
  {
    // 4.12-30: Whether tasks that never reached the chain are counted.
    // 2.9-32: What is shown for a task that never reached the chain.
    id: 'explorer.growth.observed.never-on-chain',
    title: 'observed: whether a task that never reached the chain is listed and counted',
    clauses: ['4.12-30', '2.9-32'],
    level: 'may',
    needs: ownNeeds,
    exclusive: true,
    run: async (t) => {
      await acceptedList(t)
      const counts = async () => (await countsOf(t, everything)).total_tasks
      const before = await counts()
      const listedToo = await failedTaskNow(t)
      observed(t, 'shown', 'whether it is shown', listedToo)
      const after = await counts()
      observed(t, 'count', 'the count after it', after, { before })
    },
  },
]
