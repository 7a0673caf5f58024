import { type Connections, type Goal, machineOfGoals, noise } from './goals.ts'

/** What the machine of this run can do. */
export type Reference = {
  /** Calls per second of the echo server. */
  readonly echo: Readonly<Record<Connections, number>>
  /** Milliseconds of the cryptography of a task and of one fsync, by number of operators. */
  readonly task: (operators: number) => number
}

export type Verdict = 'met' | 'missed' | 'not measured'

export type Judged = {
  readonly goal: Goal
  readonly measured: number | undefined
  readonly limit: number | undefined
  /** Measured divided by the limit. */
  readonly ratio: number | undefined
  /** The goal on this machine, without the margin for noise. */
  readonly bound: number
  readonly verdict: Verdict
}

/**
 * Compares a figure with its goal. A machine whose echo server is slower than that of the goals has
 * proportionally more time; a faster one has no less.
 */
export function judge(goal: Goal, measured: number | undefined, reference: Reference): Judged {
  const limit = limitOf(goal, reference)
  const ratio = measured === undefined || limit === undefined ? undefined : measured / limit
  const slower = slowdown(goal.machine, reference)
  const bound = goal.atMost === undefined ? goal.atLeast! / slower : goal.atMost * slower
  const compared = goal.ofLimit ? ratio : measured
  const margin = goal.unit === 'gas' ? 0 : noise
  const met = (value: number) =>
    goal.atMost === undefined ? value >= bound / (1 + margin) : value <= bound * (1 + margin)
  const verdict = compared === undefined ? 'not measured' : met(compared) ? 'met' : 'missed'
  return { goal, measured, limit, ratio, bound, verdict }
}

const slowdown = (machine: Connections | undefined, { echo }: Reference): number =>
  machine === undefined ? 1 : Math.max(1, machineOfGoals[machine] / echo[machine])

function limitOf({ limit }: Goal, { echo, task }: Reference): number | undefined {
  if (limit === undefined) return undefined
  if (limit.kind === 'task') return task(limit.operators)
  return limit.kind === 'echo' ? echo[limit.connections] : limit.value
}
