import fc from 'fast-check'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, type JsonObject } from '../core/expect.ts'
import { expectPolicyRow, expectSummary } from '../kit/assertions/explorerRows.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import {
  ask,
  expectDetail,
  expectInvalid,
  explorerNeeds,
  explorerTaskNeeds,
  isUnknownList,
  networkOf,
  policyNotFound,
} from '../kit/scenarios/explorer.ts'
import {
  callAll,
  expectPage,
  fetchPage,
  listPath,
  readList,
} from '../kit/scenarios/explorerLists.ts'
import { type OwnList, ownList } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'

/** Sections 4.12 and 8: pages of lists. */
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const
const twin = 'the same list with a valid page and size'

/** The lists that need no ids. */
const openLists = ['/task', '/policy'] as const
const absentLists = [
  `/policy/id/0x${'5e'.repeat(32)}/task`,
  `/policy/address/0x${'5e'.repeat(20)}/task`,
] as const

/** Lists of unknown policies, where they are empty: which of several errors is reported is open. */
async function emptyLists(t: CheckContext): Promise<readonly string[]> {
  const empty: string[] = []
  for (const path of absentLists) {
    const answer = await ask(t, path, { query: { page: 1, size: 100 } })
    if (answer.status === 404) expectDetail(answer, 404, policyNotFound)
    else {
      expectPage(answer, { page: 1, size: 100 })
      empty.push(path)
    }
  }
  return empty
}

const invalidValues: Readonly<Record<'page' | 'size', Readonly<Record<string, string>>>> = {
  page: {
    // 7.6-08: 422 for an invalid value, such as a size outside 1 to 100.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 8-05: The explorer’s page counts from 1, and is 1 by default.
    'explorer.list.invalid.page-0': '0',
    'explorer.list.invalid.page--1': '-1',
    'explorer.list.invalid.page-1-5': '1.5',
    'explorer.list.invalid.page-abc': 'abc',
    'explorer.list.invalid.page-NaN': 'NaN',
    'explorer.list.invalid.page-1e400': '1e400',
    'explorer.list.invalid.page--1000000000000': '-1000000000000',
    'explorer.list.invalid.page-true': 'true',
  },
  size: {
    // 7.6-08: 422 for an invalid value, such as a size outside 1 to 100.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 8-06: The explorer’s size is 1 to 100, and 10 by default.
    'explorer.list.invalid.size-0': '0',
    'explorer.list.invalid.size--1': '-1',
    'explorer.list.invalid.size-101': '101',
    'explorer.list.invalid.size-1000': '1000',
    'explorer.list.invalid.size-1000000000000': '1000000000000',
    'explorer.list.invalid.size-1-5': '1.5',
    'explorer.list.invalid.size-abc': 'abc',
    'explorer.list.invalid.size-NaN': 'NaN',
    'explorer.list.invalid.size-1e400': '1e400',
    'explorer.list.invalid.size-true': 'true',
  },
}

const invalid = (id: string, name: 'page' | 'size', value: string): Check => ({
  id,
  title: `${name} ${value} is refused by every list with 422`,
  clauses: ['7.6-08', '7.6-01', name === 'page' ? '8-05' : '8-06'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    const paths = await t.twin(async () => {
      for (const path of openLists) await fetchPage(t, path, 1, 100)
      return [...openLists, ...(await emptyLists(t))]
    })
    for (const path of paths) {
      expectInvalid(await ask(t, path, { query: { [name]: value } }))
      const other = name === 'page' ? { size: '10' } : { page: '1' }
      expectInvalid(await ask(t, path, { query: { ...other, [name]: value } }))
    }
  },
})

const ids = (rows: readonly JsonObject[]): readonly string[] =>
  rows.map(({ id }) => String(id).toLowerCase())

const expectSame = (observed: readonly string[], expected: readonly string[], what: string) =>
  expectEqual([...observed].sort(), [...expected].sort(), what)

/** The list may have grown since it was created: other checks add to it, none removes. */
function expectOwn(rows: readonly JsonObject[], own: OwnList, what: string): void {
  const found = ids(rows)
  expectEqual(new Set(found).size, found.length, `distinct ids of ${what}`)
  const missing = own.ids.filter((id) => !found.includes(id))
  expectEqual(missing, [], `tasks missing in ${what}`)
  for (const row of rows) {
    expectHex(row.policy_id, own.policyId, 'policy_id')
    expectHex(row.policy_address, own.policy, 'policy_address')
    expectHex(row.policy_client_address, own.client, 'policy_client_address')
  }
}

/** Reads a page again until the total did not change meanwhile: rows may be added. */
async function stable<T>(
  t: CheckContext,
  path: string,
  read: () => Promise<T>,
): Promise<{ value: T; total: number }> {
  for (let attempt = 0; ; attempt++) {
    const before = await fetchPage(t, path, 1, 1)
    const value = await read()
    const after = await fetchPage(t, path, 1, 1)
    if (before.total === after.total || attempt === 20) return { value, total: after.total }
  }
}

export const explorerLists: readonly Check[] = [
  ...(['page', 'size'] as const).flatMap((name) =>
    Object.entries(invalidValues[name]).map(([id, value]) => invalid(id, name, value)),
  ),
  {
    // 8-05: The explorer’s page counts from 1, and is 1 by default.
    // 8-06: The explorer’s size is 1 to 100, and 10 by default.
    // 4.12-15: A page is {total, page, size, results}.
    // 4.12-06: /task returns a page of tasks, by page and size.
    // 4.12-08: /policy returns a page of policies, by page and size.
    id: 'explorer.list.defaults',
    title: 'without page and size a list is page 1 of size 10',
    clauses: ['8-05', '8-06', '4.12-15', '4.12-06', '4.12-08'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const { byId, byAddress } = await ownList(t)
      for (const path of [...openLists, byId, byAddress]) {
        const asked = await fetchPage(t, path, 1, 10)
        const bare = expectPage(await ask(t, path), { page: 1, size: 10 })
        expectThat(bare.results.length <= 10, 'the rows of a page', 'at most 10', bare.results)
        if (asked.total >= 10) expectEqual(bare.results.length, 10, 'the rows of a full page')
        expectPage(await ask(t, path, { query: { size: 3 } }), { page: 1, size: 3 })
        expectPage(await ask(t, path, { query: { page: 2 } }), { page: 2, size: 10 })
      }
    },
  },
  {
    // 8-06: The explorer’s size is 1 to 100, and 10 by default.
    // 4.12-15: A page is {total, page, size, results}.
    id: 'explorer.list.bounds',
    title: 'sizes 1 and 100 are accepted, and give pages of that size',
    clauses: ['8-06', '4.12-15'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const { byId, byAddress, ids: made } = await ownList(t)
      for (const path of [...openLists, byId, byAddress]) {
        const one = await fetchPage(t, path, 1, 1)
        expectEqual(one.results.length, 1, 'the rows of a page of size 1')
        const hundred = await fetchPage(t, path, 1, 100)
        expectThat(
          hundred.results.length === Math.min(100, hundred.total),
          'the rows of a page of size 100',
          Math.min(100, hundred.total),
          hundred.results.length,
        )
      }
      const { total } = await fetchPage(t, byId, 1, 100)
      expectThat(total >= made.length, 'total', `at least ${made.length}`, total)
    },
  },
  {
    // 4.12-16: total is the number of rows in the whole list, independent of page and size.
    // 4.12-24: The content of a page past the last.
    id: 'explorer.list.past-the-end',
    title: 'a page past the last has the right total; observed: its content',
    clauses: ['4.12-16', '4.12-24'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const { byId } = await ownList(t)
      const { value, total } = await stable(t, byId, () =>
        ask(t, byId, { query: { page: 1_000, size: 100 } }),
      )
      const page = expectPage(value, { page: 1_000, size: 100 })
      expectEqual(page.total, total, 'total past the end')
      observed(t, 'rows', 'rows past the end', page.results)
      const next = await fetchPage(t, byId, Math.floor(total / 5) + 2, 5)
      observed(t, 'next-rows', 'rows of the page after the last', next.results)
      for (const far of ['1000000000000', '9007199254740993', `1${'0'.repeat(40)}`]) {
        const { status } = await ask(t, byId, { query: { page: far } })
        expectThat(status === 200 || status === 422, 'the HTTP status', '200 or 422', status)
        t.observe(`page ${far}: HTTP ${status}`)
      }
    },
  },
  {
    // 4.12-17: The pages of a list together are the whole list, without gaps or duplicates.
    // 4.12-16: total is the number of rows in the whole list, independent of page and size.
    // 4.12-15: A page is {total, page, size, results}.
    // 4.12-09: /policy/id/{policy_id}/task returns a page of the tasks of a policy id.
    // 4.12-10: /policy/address/{policy_address}/task returns a page of the tasks of a policy’s
    //   address.
    id: 'explorer.list.joined',
    title: 'the joined pages of a list, of any size, are the list, and every page has its total',
    clauses: ['4.12-17', '4.12-16', '4.12-15', '4.12-09', '4.12-10'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      const arbitrary = fc.record({
        path: fc.constantFrom(own.byId, own.byAddress),
        size: fc.integer({ min: 1, max: 12 }),
      })
      await checkProperty(t, 'sizes', arbitrary, { runs: 14 }, async ({ path, size }) => {
        const { value, total } = await stable(t, path, async () => {
          const rows: JsonObject[] = []
          const totals = new Set<number>()
          for (let page = 1, more = true; more; page++) {
            const got = await fetchPage(t, path, page, size)
            totals.add(got.total)
            rows.push(...got.results)
            more = page * size < got.total
          }
          return { rows, totals: [...totals], whole: (await fetchPage(t, path, 1, 100)).results }
        })
        expectEqual(value.totals, [total], 'the totals of all pages')
        expectEqual(ids(value.rows), ids(value.whole), 'the joined pages')
        expectEqual(value.rows.length, total, 'the number of rows')
        expectOwn(value.rows, own, path)
      })
    },
  },
  {
    // 4.12-17: The pages of a list together are the whole list, without gaps or duplicates.
    // 4.12-06: /task returns a page of tasks, by page and size.
    // 4.12-08: /policy returns a page of policies, by page and size.
    // 2.9-01: id is the id of the task, 32 bytes of hex.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    // 3-09: challenge_result is unchallenged, success or unsuccessful.
    id: 'explorer.list.all',
    title:
      'every row of the lists of tasks and policies has the specified format, and appears once',
    clauses: ['4.12-17', '4.12-06', '4.12-08', '2.9-01', '2.9-27', '3-08', '3-09'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      const tasks = await readList(t, '/task')
      for (const row of tasks.rows) expectSummary(row, networkOf(t))
      const found = new Set(ids(tasks.rows))
      const missing = own.ids.filter((id) => !found.has(id))
      // Of a long list only its ends were read, and its order is open.
      if (tasks.whole) expectEqual(missing, [], 'tasks missing in the list of all')
      const policies = await readList(t, '/policy')
      for (const row of policies.rows) expectPolicyRow(row, networkOf(t))
      const addresses = policies.rows.map(({ address }) => String(address).toLowerCase())
      expectEqual(new Set(addresses).size, addresses.length, 'distinct addresses')
      const known = Object.values(t.target.clients).map(({ policyAddress }) =>
        policyAddress.toLowerCase(),
      )
      if (policies.whole)
        expectEqual(
          [...new Set([...known, own.policy.toLowerCase()])].filter((a) => !addresses.includes(a)),
          [],
          'policies missing in the list',
        )
    },
  },
  {
    // 4.12-18: A list of a policy holds exactly the tasks of that policy.
    // 4.12-09: /policy/id/{policy_id}/task returns a page of the tasks of a policy id.
    // 4.12-10: /policy/address/{policy_address}/task returns a page of the tasks of a policy’s
    //   address.
    // 2.9-05: policy_id is a string or null: the policy the task was evaluated with.
    // 2.9-06: policy_address is a string or null: the address of that policy.
    // 4.12-19: A task that was created appears in the list.
    id: 'explorer.list.of-policy',
    title: 'the lists of a policy, by id and by address, contain its tasks and no others',
    clauses: ['4.12-18', '4.12-09', '4.12-10', '2.9-05', '2.9-06', '4.12-19'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      const { value: byId } = await stable(t, own.byId, () => callAll(t, own.byId))
      const byAddress = await callAll(t, own.byAddress)
      expectOwn(byId, own, own.byId)
      expectOwn(byAddress, own, own.byAddress)
      const other = await listPath(t, 'address', t.client('allow-list').policyAddress)
      const isUnknown = isUnknownList(await ask(t, other))
      const others = isUnknown ? [] : await callAll(t, other)
      expectSame(
        ids(others).filter((id) => own.ids.includes(id)),
        [],
        'tasks of the own policy in the list of another',
      )
      // What is shown of a task that never reached the chain is open (2.9-32).
      for (const row of others.filter((row) => row.task_responded_at !== null))
        expectHex(row.policy_address, t.client('allow-list').policyAddress, 'policy_address')
    },
  },
]
