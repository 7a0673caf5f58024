import type { Stopwatch } from '../../../impl/tasks/stopwatch.ts'
import { quantile } from './load.ts'

export type StageShare = {
  readonly stage: string
  /** Milliseconds a task. */
  readonly p50: number
  /** Where other work on the machine disturbs least. */
  readonly p10: number
  /** Of the median task. */
  readonly share: number
}

/** Keeps the times of each stage; what no stage accounts for is the way in and out. */
export function createStageClock(): Stopwatch & {
  reset(): void
  /** @param total p10 and p50 of the whole call */
  shares(total: { readonly p10: number; readonly p50: number }, tasks: number): StageShare[]
} {
  const times = new Map<string, number[]>()
  return {
    record(stage, milliseconds) {
      const known = times.get(stage)
      if (known === undefined) times.set(stage, [milliseconds])
      else known.push(milliseconds)
    },
    reset: () => times.clear(),
    shares(total, tasks) {
      const rows = [...times].map(([stage, all]) => {
        // A stage that a task goes through twice counts twice.
        const perTask = stage.startsWith('operator') ? 1 : all.length / tasks
        const at = (part: number) => quantile(all, part) * perTask
        return { stage, p50: at(0.5), p10: at(0.1), share: at(0.5) / total.p50 }
      })
      // Stages of one operator are parts of another and overlap: shown, and not summed.
      const inner = rows.filter(({ stage }) => stage.startsWith('operator'))
      const outer = rows.filter((row) => !inner.includes(row))
      const rest = (part: 'p10' | 'p50') =>
        Math.max(0, total[part] - outer.reduce((sum, row) => sum + row[part], 0))
      const p50 = rest('p50')
      const stage = 'HTTP, JSON, schemas, the rest'
      return [...outer, { stage, p50, p10: rest('p10'), share: p50 / total.p50 }]
        .sort((a, b) => b.p50 - a.p50)
        .concat(inner)
    },
  }
}
