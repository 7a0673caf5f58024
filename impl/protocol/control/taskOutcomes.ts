import type { TaskListRow } from './taskList.ts'

/** How tasks ended that began within one stretch of time. */
export type OutcomeCounts = {
  /** Begin of the stretch, unix milliseconds. */
  readonly at: number
  readonly allowed: number
  readonly denied: number
  /** Failed or timed out, without a decision. */
  readonly failed: number
  /** Not decided yet, or not known to the explorer yet. */
  readonly open: number
}

/** Answer of `GET /tasks/outcomes`: of the latest tasks. */
export type OutcomesOverTime = {
  /** How many tasks are counted. */
  readonly tasks: number
  /** Length of a stretch, milliseconds; 0 without a task. */
  readonly step: number
  /** Oldest first; stretches without a task are among them. */
  readonly stretches: readonly OutcomeCounts[]
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 6, 12].map((n) => n * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * day),
]
const mostStretches = 40

/**
 * Counts outcomes by when tasks began, in at most 40 stretches of a round length, so that they stay where they are
 * when tasks are added. Tasks without a time are left out.
 */
export function outcomesOverTime(
  rows: readonly Pick<TaskListRow, 'createdAt' | 'status' | 'decision'>[],
): OutcomesOverTime {
  const known = rows.flatMap((row) => {
    const at = row.createdAt === null ? Number.NaN : Date.parse(row.createdAt)
    return Number.isNaN(at) ? [] : [{ at, outcome: outcomeOf(row) }]
  })
  if (known.length === 0) return { tasks: 0, step: 0, stretches: [] }
  const times = known.map(({ at }) => at)
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const countWith = (step: number) => Math.floor(last / step) - Math.floor(first / step) + 1
  const least = (last - first) / (mostStretches - 1)
  const step =
    steps.find((each) => countWith(each) <= mostStretches) ?? Math.ceil(least / day) * day
  const from = Math.floor(first / step)
  const counts = Array.from({ length: countWith(step) }, (_, at) => ({
    ...{ at: (from + at) * step, allowed: 0, denied: 0, failed: 0, open: 0 },
  }))
  for (const { at, outcome } of known) counts[Math.floor(at / step) - from]![outcome] += 1
  return { tasks: known.length, step, stretches: counts }
}

function outcomeOf({
  status,
  decision,
}: Pick<TaskListRow, 'status' | 'decision'>): Exclude<keyof OutcomeCounts, 'at'> {
  if (status === 'failed' || status === 'timeout') return 'failed'
  if (decision === null) return 'open'
  return decision === 'allow' ? 'allowed' : 'denied'
}
