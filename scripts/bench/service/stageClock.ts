import type { Stopwatch } from 'polgate-service/tasks/stopwatch.ts'
import { quantile } from './load.ts'

export type StageShare = {
  readonly stage: string
  /** Average milliseconds per task; the averages of all stages add up to the total. */
  readonly mean: number
  /** 10th percentile, where other load disturbs least; undefined for the remainder. */
  readonly p10: number | undefined
  /** Share of the average task. */
  readonly share: number
}

/** Collects the times of each stage; the remainder is HTTP and JSON. */
export function createStageClock(): Stopwatch & {
  reset(): void
  /** @param mean average milliseconds of the whole call */
  shares(mean: number, tasks: number): StageShare[]
} {
  const times = new Map<string, number[]>()
  return {
    record(stage, milliseconds) {
      const known = times.get(stage)
      if (known === undefined) times.set(stage, [milliseconds])
      else known.push(milliseconds)
    },
    reset: () => times.clear(),
    shares(whole, tasks) {
      const rows = [...times].map(([stage, all]): StageShare => {
        const sum = all.reduce((total, each) => total + each, 0)
        const own = stage.startsWith('operator')
        const mean = sum / (own ? all.length : tasks)
        // A stage that runs twice in a task counts twice.
        const p10 = quantile(all, 0.1) * (own ? 1 : all.length / tasks)
        return { stage, mean, p10, share: mean / whole }
      })
      // Stages of operators overlap and are parts of other stages: shown, but not added up.
      const inner = rows.filter(({ stage }) => stage.startsWith('operator'))
      const outer = rows.filter((row) => !inner.includes(row))
      const mean = whole - outer.reduce((sum, row) => sum + row.mean, 0)
      const stage = 'HTTP, JSON, schemas, the rest'
      return [...outer, { stage, mean, p10: undefined, share: mean / whole }]
        .sort((a, b) => b.mean - a.mean)
        .concat(inner)
    },
  }
}
