import fc from 'fast-check'
import type { Check } from '../core/check.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { ask, expectInvalid, explorerNeeds, explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import {
  type Counts,
  countsOf,
  everything,
  iso,
  least,
  most,
  policyTimes,
  settledCounts,
  shownTimes,
  spansOf,
  windowsOver,
  within,
} from '../kit/scenarios/explorerCounts.ts'
import { distinctRows, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { failedTaskNow, ownList } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'

/** Section 4.12: counts of tasks and policies, and their windows. */
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const
const twin = 'the same counts with a valid window'

const names = [
  'task_window_start',
  'task_window_end',
  'policy_window_start',
  'policy_window_end',
] as const

const noTimes = [
  'yesterday',
  'now',
  '2026-13-01T00:00:00Z',
  '2026-01-32T00:00:00Z',
  '2026-01-01T25:00:00Z',
  'NaN',
  '[]',
] as const

const invalid = (id: string, name: (typeof names)[number]): Check => ({
  id,
  title: `a ${name} that is not a time is refused with 422`,
  clauses: ['7.6-08', '7.6-01', '4.12-12', '4.12-13'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => countsOf(t, { ...everything, [name]: '2026-01-01T00:00:00Z' }))
    for (const value of noTimes)
      expectInvalid(await ask(t, '/stats', { query: { ...everything, [name]: value } }))
  },
})

export const explorerStats: readonly Check[] = [
  // 7.6-08: 422 for an invalid value, such as a size outside 1 to 100.
  // 7.6-01: The body of an error is {detail: <message>}.
  // 4.12-12: task_window_start of /stats is required and an ISO 8601 time.
  // 4.12-13: task_window_end, policy_window_start and policy_window_end of /stats are optional.
  invalid('explorer.stats.invalid.task-window-start', 'task_window_start'),
  invalid('explorer.stats.invalid.task-window-end', 'task_window_end'),
  invalid('explorer.stats.invalid.policy-window-start', 'policy_window_start'),
  invalid('explorer.stats.invalid.policy-window-end', 'policy_window_end'),
  {
    // 4.12-12: task_window_start of /stats is required and an ISO 8601 time.
    // 7.6-08: 422 for an invalid value, such as a size outside 1 to 100.
    id: 'explorer.stats.required',
    title: 'counts without task_window_start are refused with 422, whatever else is sent',
    clauses: ['4.12-12', '7.6-08'],
    level: 'must',
    needs: explorerNeeds,
    twin,
    run: async (t) => {
      await t.twin(() => countsOf(t, everything))
      const others = Object.fromEntries(
        names.slice(1).map((name) => [name, '2026-01-01T00:00:00Z']),
      )
      expectInvalid(await ask(t, '/stats'))
      expectInvalid(await ask(t, '/stats', { query: others }))
    },
  },
  {
    // 4.12-11: /stats returns total_tasks and total_policies, numbers.
    // 4.12-13: task_window_end, policy_window_start and policy_window_end of /stats are optional.
    id: 'explorer.stats.optional',
    title: 'counts are numbers with any of the other windows and without',
    clauses: ['4.12-11', '4.12-13'],
    level: 'must',
    needs: explorerNeeds,
    run: async (t) => {
      const given = fc.subarray(names.slice(1), { minLength: 0 })
      await checkProperty(t, 'windows', given, { runs: 8 }, async (some) => {
        const at = (name: string) => (name.endsWith('start') ? iso(0) : '2999-01-01T00:00:00Z')
        const wide = Object.fromEntries(some.map((name) => [name, at(name)]))
        const before = await countsOf(t, everything)
        const counts = await countsOf(t, { ...everything, ...wide })
        const after = await countsOf(t, everything)
        for (const name of ['total_tasks', 'total_policies'] as const)
          expectThat(
            before[name] <= counts[name] && counts[name] <= after[name],
            `${name} of windows that contain everything`,
            `${before[name]} to ${after[name]}`,
            counts[name],
          )
      })
    },
  },
  {
    // 4.12-11: /stats returns total_tasks and total_policies, numbers.
    // 4.12-14: A count covers what happened within its window.
    // 4.12-16: total is the number of rows in the whole list, independent of page and size.
    id: 'explorer.stats.totals',
    title: 'counts of windows that contain everything are the totals of the lists',
    clauses: ['4.12-11', '4.12-14', '4.12-16'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      await ownList(t)
      for (const [path, name] of [
        ['/task', 'total_tasks'],
        ['/policy', 'total_policies'],
      ] as const) {
        const before = await fetchPage(t, path, 1, 1)
        const counts = await countsOf(t, everything)
        const after = await fetchPage(t, path, 1, 1)
        expectThat(
          before.total <= counts[name] && counts[name] <= after.total,
          name,
          `${before.total} to ${after.total}, the totals before and after`,
          counts[name],
        )
      }
    },
  },
  {
    // 4.12-14: A count covers what happened within its window.
    // 2.10-08: policy_deployed_at is the time of its block in ISO 8601, or null.
    id: 'explorer.stats.policy-windows',
    title: 'a window of policies counts those deployed within it, and no others',
    clauses: ['4.12-14', '2.10-08'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      await ownList(t)
      const { times, whole } = await policyTimes(t)
      const known = [...new Set(times)]
      // Another policy may be deployed in the same second as the newest.
      const settled = known.slice(0, -1)
      expectThat(settled.length > 0, 'the policies', 'deployed at different times', known.map(iso))
      const place = fc.nat({ max: settled.length - 1 })
      await checkProperty(t, 'windows', fc.tuple(place, place), { runs: 12 }, async (two) => {
        const [a, b] = two.map((at) => settled[at]!).sort((x, y) => x - y) as [number, number]
        // Between two seconds: whether the edges are inclusive is open.
        const from = a - 500
        const to = b + 500
        const windows = { policy_window_start: iso(from), policy_window_end: iso(to) }
        const { total_policies } = await countsOf(t, { ...everything, ...windows })
        const known = within(times, from, to)
        expectThat(
          total_policies === known || (!whole && total_policies > known),
          `policies from ${iso(from)} to ${iso(to)}`,
          whole ? known : `${known} or more`,
          total_policies,
        )
      })
      const { total_policies } = await countsOf(t, {
        ...everything,
        policy_window_start: '1971-01-01T00:00:00Z',
        policy_window_end: '1972-01-01T00:00:00Z',
      })
      expectEqual(total_policies, 0, 'policies of a window before all')
    },
  },
  {
    // 4.12-14: A count covers what happened within its window.
    // 2.9-12: task_created_at is ISO 8601 in UTC or null: when the task was created.
    id: 'explorer.stats.task-windows',
    title: 'a window of tasks counts those created within it',
    clauses: ['4.12-14', '2.9-12'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      await ownList(t)
      const { rows, whole: complete } = await distinctRows(t, '/task')
      const spans = spansOf(rows)
      // Tasks that never reached the chain may show no time.
      const timeless = rows.length - spans.length
      const known = [...new Set(spans.map(({ from }) => from))].sort((a, b) => a - b)
      const place = fc.nat({ max: known.length - 1 })
      await checkProperty(t, 'windows', fc.tuple(place, place), { runs: 12 }, async (two) => {
        const [a, b] = two.map((at) => known[at]!).sort((x, y) => x - y) as [number, number]
        const from = a - 500
        const to = b + 500
        const windows = { task_window_start: iso(from), task_window_end: iso(to) }
        // Between two seconds too, so that each task counts in exactly one half.
        const middle = Math.floor((from + to) / 2_000) * 1_000 + 500
        // The second half ends after it starts: other windows may be refused (clause 4.12-29).
        const half = Math.min(middle, to - 2)
        const { whole, first, second } = await settledCounts(t, windows, iso(half), iso(half + 1))
        const fewest = least(spans, from, to)
        const { total } = await fetchPage(t, '/task', 1, 1)
        const all = complete ? most(spans, from, to) + timeless + total - rows.length : total
        expectThat(
          whole >= fewest && whole <= all,
          `tasks from ${iso(from)} to ${iso(to)}`,
          `${fewest}, and at most ${all - fewest} others`,
          whole,
        )
        expectEqual(first + second, whole, 'the sum of two halves')
      })
      observed(t, 'tasks-without-time', 'tasks without task_created_at', timeless)
      const before = {
        task_window_start: '1971-01-01T00:00:00Z',
        task_window_end: '1972-01-01T00:00:00Z',
      }
      expectEqual((await countsOf(t, before)).total_tasks, 0, 'tasks of a window before all')
      const later = { task_window_start: '2998-01-01T00:00:00Z' }
      expectEqual((await countsOf(t, later)).total_tasks, 0, 'tasks of a window after all')
    },
  },
  {
    // 4.12-14: A count covers what happened within its window.
    // 4.12-11: /stats returns total_tasks and total_policies, numbers.
    // 2.9-12: task_created_at is ISO 8601 in UTC or null: when the task was created.
    // 2.10-08: policy_deployed_at is the time of its block in ISO 8601, or null.
    id: 'explorer.stats.recomputed',
    title: 'counts of windows match the lists, including failed tasks',
    clauses: ['4.12-14', '4.12-11', '2.9-12', '2.10-08'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      await ownList(t)
      const shown = await failedTaskNow(t)
      t.observe(`a task that failed is ${shown ? 'listed' : 'not listed'}`)
      const before = await shownTimes(t)
      const created = before.tasks.map(({ from }) => from)
      const known = [...new Set([...created, ...before.policies])].sort((a, b) => a - b)
      const counted: { readonly from: number; readonly to: number; readonly counts: Counts }[] = []
      for (const [from, to] of windowsOver(known)) {
        const windows = {
          task_window_start: iso(from),
          task_window_end: iso(to),
          policy_window_start: iso(from),
          policy_window_end: iso(to),
        }
        counted.push({ from, to, counts: await countsOf(t, windows) })
      }
      // Rows may have been added meanwhile, some for tasks created before.
      const after = await shownTimes(t)
      observed(t, 'tasks-without-time', 'tasks without task_created_at', after.timeless)
      for (const { from, to, counts } of counted) {
        const window = `from ${iso(from)} to ${iso(to)}`
        const certain = least(before.tasks, from, to)
        const possible = most(after.tasks, from, to) + after.otherTasks
        const { total_tasks, total_policies } = counts
        expectThat(
          certain <= total_tasks && total_tasks <= possible,
          `tasks ${window}`,
          `${certain} to ${possible}, as listed before and after`,
          total_tasks,
        )
        const fewest = within(before.policies, from, to)
        const all = within(after.policies, from, to) + after.otherPolicies
        expectThat(
          fewest <= total_policies && total_policies <= all,
          `policies ${window}`,
          `${fewest} to ${all}, as listed before and after`,
          total_policies,
        )
      }
    },
  },
]
