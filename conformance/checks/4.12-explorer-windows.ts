import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { ask, explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import {
  countsOf,
  everything,
  expectCounts,
  iso,
  policyTimes,
  within,
} from '../kit/scenarios/explorerCounts.ts'
import { acceptedList, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { ownList } from '../kit/scenarios/explorerSubjects.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'

/** Section 4.12: open points of windows. */
const ownNeeds = [...explorerTaskNeeds, ...newClientNeeds] as const

export const explorerWindows: readonly Check[] = [
  {
    // 4.12-29: Which ends of a window are inclusive, and the response for one that ends before it
    //   starts.
    id: 'explorer.stats.observed.edges',
    title:
      'observed: whether the edges of a window are inclusive, and windows that end before they start',
    clauses: ['4.12-29'],
    level: 'may',
    needs: ownNeeds,
    run: async (t) => {
      await ownList(t)
      await acceptedList(t)
      const { times } = await policyTimes(t)
      const known = [...new Set(times)]
      const at = known[Math.max(0, known.length - 2)]!
      const exact = within(times, at, at)
      const counted = async (from: number, to: number) => {
        const windows = { policy_window_start: iso(from), policy_window_end: iso(to) }
        return (await countsOf(t, { ...everything, ...windows })).total_policies
      }
      const edges = {
        'both edges at the time': await counted(at, at),
        'the start at the time': await counted(at, at + 500),
        'the end at the time': await counted(at - 500, at),
      }
      for (const [name, count] of Object.entries(edges))
        observed(t, 'count', name, count, { exact })
      const outside = [await counted(at - 500, at - 1), await counted(at + 1, at + 500)]
      observed(t, 'windows-beside', 'windows around the time', outside)
      const early = { task_window_start: iso(0), task_window_end: iso(1) }
      const { total_policies } = await countsOf(t, early)
      const { total } = await fetchPage(t, '/policy', 1, 1)
      const unbounded = total_policies >= times.length && total_policies <= total
      observed(t, 'policies', 'policies without a policy window', total_policies, {
        unbounded,
        total,
      })
      const inverted = await ask(t, '/stats', {
        query: { task_window_start: '2999-01-01T00:00:00Z', task_window_end: iso(0) },
      })
      t.observe(`a window that ends before it starts: HTTP ${inverted.status}`)
      if (inverted.status === 200) expectEqual(expectCounts(inverted).total_tasks, 0, 'its tasks')
      for (const form of ['2026-01-01', '2026-01-01T00:00', '2026-01-01T00:00:00', '1767225600'])
        t.observe(
          `${form}: HTTP ${(await ask(t, '/stats', { query: { task_window_start: form } })).status}`,
        )
      for (const form of ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.123456Z'])
        expectCounts(await ask(t, '/stats', { query: { task_window_start: form } }))
    },
  },
]
