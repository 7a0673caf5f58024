import { isDeepStrictEqual } from 'node:util'
import type { Check } from '../core/check.ts'
import { expectThat, type JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import {
  ask,
  expectDetail,
  explorerNeeds,
  explorerTaskNeeds,
  isUnknownList,
  policyNotFound,
} from '../kit/scenarios/explorer.ts'
import { acceptedList, callAll, expectPage, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { shownTask } from '../kit/scenarios/explorerShown.ts'
import { createOwnTask, ownList } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'

/** Section 4.12: open points of lists. */
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const

const absentLists = [
  `/policy/id/0x${'5e'.repeat(32)}/task`,
  `/policy/address/0x${'5e'.repeat(20)}/task`,
] as const

const ids = (rows: readonly JsonObject[]): readonly string[] =>
  rows.map(({ id }) => String(id).toLowerCase())

export const explorerOrder: readonly Check[] = [
  {
    // 4.12-26: Whether ids and addresses are matched without regard to case, and the response for
    //   malformed ones.
    id: 'explorer.list.of-policy.letters',
    title: 'observed: ids and addresses in upper case give the same result',
    clauses: ['4.12-26'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
      const row = (await fetchPage(t, own.byId, 1, 1)).results[0]!
      for (const [name, path, same] of [
        ['a task id', `/task/${upper(String(row.id))}`, `/task/${row.id}`],
        ['an address', `/policy/${upper(own.policy)}`, `/policy/${own.policy.toLowerCase()}`],
      ] as const)
        observed(t, 'list', `${name} in upper case`, (await ask(t, path)).status, {
          same: isDeepStrictEqual((await ask(t, path)).json, (await ask(t, same)).json),
        })
      const { total } = await fetchPage(t, own.byId, 1, 100)
      for (const path of [
        `/policy/id/${upper(own.policyId)}/task`,
        `/policy/address/${upper(own.policy)}/task`,
        `/policy/address/${own.policy.toLowerCase()}/task`,
      ]) {
        const answer = await ask(t, path, { query: { page: 1, size: 100 } })
        const found = isUnknownList(answer) ? 0 : expectPage(answer, { page: 1, size: 100 }).total
        observed(t, 'found', path, found, { total })
      }
    },
  },
  {
    // 4.12-26: Whether ids and addresses are matched without regard to case, and the response for
    //   malformed ones.
    id: 'explorer.list.observed.absent',
    title: 'observed: the list of an unknown policy',
    clauses: ['4.12-26'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const path of absentLists) {
        const answer = await ask(t, path, { query: { page: 1, size: 10 } })
        if (answer.status === 404) {
          expectDetail(answer, 404, policyNotFound)
          observed(t, 'list', path, answer.json)
          continue
        }
        const { total, results } = expectPage(answer, { page: 1, size: 10 })
        observed(t, 'list', path, { total, results })
      }
    },
  },
  {
    // 4.12-23: The order of lists.
    id: 'explorer.list.observed.order',
    title: 'observed: the order of lists',
    clauses: ['4.12-23'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      for (const path of [own.byId, own.byAddress]) {
        const rows = await callAll(t, path)
        const blocks = rows.map(({ created_block }) => Number(created_block))
        const falling = blocks.every((block, at) => at === 0 || block <= blocks[at - 1]!)
        observed(t, 'tasks-of-policy', `created_block in ${path}`, blocks, { falling })
      }
      const id = await createOwnTask(t, own)
      await shownTask(t, id, 'the new task', (row) => row.task_responded_at !== null)
      const first = (await fetchPage(t, own.byId, 1, 3)).results
      observed(t, 'new-task', 'the position of a new task', ids(first), { id })
      // Rows of the gateway's record have no block: they keep their position in the list.
      const blocks = (await fetchPage(t, '/task', 1, 100)).results
        .map(({ created_block }) => created_block)
        .filter((block) => block !== null)
        .map(Number)
      const falling = blocks.every((block, at) => at === 0 || block <= blocks[at - 1]!)
      observed(t, 'all-tasks', 'created_block in the list of all tasks', blocks, { falling })
      const policies = (await callAll(t, '/policy')).map((row) =>
        Date.parse(String(row.policy_deployed_at)),
      )
      const newest = policies.every((at, i) => i === 0 || at <= policies[i - 1]!)
      observed(t, 'policies', 'policy_deployed_at in the list of policies', policies, { newest })
    },
  },
  {
    // 7.6-11: The body of a 422.
    // 4.12-24: The content of a page past the last.
    id: 'explorer.list.observed.odd-values',
    title: 'observed: empty, repeated and unusually written values of page and size',
    clauses: ['7.6-11', '4.12-24'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const queries = ['page=', 'size=', 'size=5&size=7', 'size=5&size=101', 'page=1&page=x']
      for (const query of [...queries, 'size=01', 'size=%2B5', 'size=5.0', 'size=%205', 'Size=5']) {
        const { status, json } = await ask(t, '/task', { query })
        expectThat(status === 200 || status === 422, 'the HTTP status', '200 or 422', status)
        t.observe(
          `${query}: HTTP ${status}${status === 200 ? ` size ${(json as JsonObject).size}` : ''}`,
        )
      }
      const strange = await ask(t, '/task', { query: { limit: 1, offset: 3, sort: 'asc' } })
      t.observe(`other parameters: HTTP ${strange.status}`)
    },
  },
]
