import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'
import { ms } from '../assertions/explorerRows.ts'
import { expectShape, natural } from '../assertions/shape.ts'
import { ask, expectFound } from './explorer.ts'
import { distinctRows, fetchPage, readList } from './explorerLists.ts'

/** The answer of `/stats`, as far as it is specified. */
export type Counts = { readonly total_tasks: number; readonly total_policies: number }

/** An answer with both counts, as natural numbers. */
export function expectCounts(answer: Answer): Counts {
  const counts = expectFound(answer)
  const rules = { total_tasks: natural, total_policies: natural }
  expectShape(counts, rules, 'the counts')
  return counts as unknown as Counts
}

/** The query of `/stats`: times as ISO 8601. */
export type Windows = {
  readonly task_window_start: string
  readonly task_window_end?: string
  readonly policy_window_start?: string
  readonly policy_window_end?: string
}

/** The counts of these windows. */
export const countsOf = async (t: CheckContext, windows: Windows): Promise<Counts> =>
  expectCounts(await ask(t, '/stats', { query: { ...windows } }))

/** A time of milliseconds as the explorer takes it. */
export const iso = (at: number) => new Date(at).toISOString()
/** The window that contains everything. */
export const everything = { task_window_start: iso(0) } as const

/**
 * Times of all policies, sorted, read until the list did not change meanwhile; `whole` unless it is too
 * long to be read.
 */
export async function policyTimes(
  t: CheckContext,
): Promise<{ readonly times: readonly number[]; readonly whole: boolean }> {
  for (let attempt = 0; ; attempt++) {
    const { rows, whole } = await readList(t, '/policy')
    const { total } = await fetchPage(t, '/policy', 1, 1)
    if (total === rows.length || !whole || attempt === 10) {
      const times = rows.map(({ policy_deployed_at }) => ms(policy_deployed_at))
      return { times: times.sort((a, b) => a - b), whole }
    }
  }
}

/** How many times are in a window, edges included. */
export const within = (times: readonly number[], from: number, to: number) =>
  times.filter((at) => at >= from && at <= to).length

/** The first and the last millisecond in which a task may have been created. */
export type Span = { readonly from: number; readonly to: number }

/**
 * Of a task that never reached the chain the time may be shown without the fraction of the second, which
 * counts nevertheless (clause 2.9-31); blocks have whole seconds.
 */
function spanOf({ task_created_at, task_responded_at }: JsonObject): Span {
  const from = ms(task_created_at)
  const isWhole = from % 1_000 === 0 && task_responded_at === null
  return { from, to: isWhole ? from + 999 : from }
}

/** The spans of the rows that have a time. */
export const spansOf = (rows: readonly JsonObject[]): readonly Span[] =>
  rows.filter((row) => row.task_created_at !== null).map(spanOf)

/** How many were certainly created in a window. */
export const least = (spans: readonly Span[], from: number, to: number) =>
  spans.filter((span) => span.from >= from && span.to <= to).length

/** How many may have been. */
export const most = (spans: readonly Span[], from: number, to: number) =>
  spans.filter((span) => span.to >= from && span.from <= to).length

/** A window and its two halves, if nothing was added between the requests. */
export async function settledCounts(
  t: CheckContext,
  windows: Windows,
  firstEnd: string,
  secondStart: string,
) {
  const count = async (change: Partial<Windows>) =>
    (await countsOf(t, { ...windows, ...change })).total_tasks
  for (let attempt = 0; ; attempt++) {
    const whole = await count({})
    const first = await count({ task_window_end: firstEnd })
    const second = await count({ task_window_start: secondStart })
    if (whole === (await count({})) || attempt === 20) return { whole, first, second }
  }
}

/** Times of the listed tasks and policies, and how many other tasks a window may count. */
export async function shownTimes(t: CheckContext) {
  const { rows, whole } = await distinctRows(t, '/task')
  const tasks = spansOf(rows)
  const timeless = rows.length - tasks.length
  const policies = await policyTimes(t)
  return {
    policies: policies.times,
    otherPolicies: policies.whole ? 0 : Number.POSITIVE_INFINITY,
    tasks,
    timeless,
    otherTasks: whole ? timeless : Number.POSITIVE_INFINITY,
  }
}

/** Windows over all of these times and over parts; whether the edges are inclusive is open. */
export function windowsOver(known: readonly number[]): readonly (readonly [number, number])[] {
  const some = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (part) => known[Math.floor(part * (known.length - 1))]!,
  )
  const pairs = some.flatMap((from, i) => some.slice(i).map((to) => [from - 1, to + 1] as const))
  const onEdge = (at: number) => known.includes(at)
  return pairs.filter(([from, to]) => !onEdge(from) && !onEdge(to))
}
