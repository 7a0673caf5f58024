import type { Stopwatch } from 'polgate-service/tasks/stopwatch.ts'
import { quantile } from './load.ts'

export type StageShare = {
  readonly stage: string
  /** Milliseconds a task, on average: the averages of all stages add up to the whole. */
  readonly mean: number
  /** Where other work on the machine disturbs least; what has no time of its own has none. */
  readonly p10: number | undefined
  /** Of the average task. */
  readonly share: number
}

/** Keeps the times of each stage; what no stage accounts for is the way in and out. */
export function createStageClock(): Stopwatch & {
  reset(): void
  /** @param mean milliseconds of the whole call, on average */
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
        // A stage that a task goes through twice counts twice.
        const p10 = quantile(all, 0.1) * (own ? 1 : all.length / tasks)
        return { stage, mean, p10, share: mean / whole }
      })
      // Stages of one operator are parts of another and overlap: shown, and not summed.
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
