import { availableParallelism, loadavg } from 'node:os'
import { machineOfGoals, noise } from './goals.ts'
import type { Judged, Reference } from './judge.ts'

const number = (value: number): string =>
  value >= 1_000
    ? Math.round(value).toLocaleString('en')
    : value >= 100
      ? value.toFixed(0)
      : value.toFixed(value >= 10 ? 1 : 2)

const unitOf = (unit: string) => (unit === '×' ? '' : unit === '/s' ? '/s' : ` ${unit}`)

function goalOf({ goal, bound }: Judged): string {
  const sign = goal.atMost === undefined ? '≥' : '≤'
  if (goal.ofLimit) return `${sign} ${number(bound)} of echo`
  const { atMost, atLeast = 0 } = goal
  const asked = `${sign} ${number(atMost ?? atLeast)}${unitOf(goal.unit)}`
  const differs = Math.abs(bound - (atMost ?? atLeast)) > 1e-9
  return differs ? `${asked} (here ${number(bound)})` : asked
}

function cellsOf(row: Judged): string[] {
  const { goal, measured, limit, ratio, verdict } = row
  const unit = unitOf(goal.unit)
  return [
    goal.figure,
    measured === undefined ? '-' : `${number(measured)}${unit}`,
    limit === undefined ? '-' : `${number(limit)}${unit}`,
    ratio === undefined ? '-' : ratio < 1 ? ratio.toFixed(3) : number(ratio),
    goalOf(row),
    verdict === 'not measured' ? `not measured: --only ${goal.section}` : verdict,
  ]
}

/** The table at the end of `npm run bench`. */
export function goalLines(rows: readonly Judged[], { echo }: Reference): string[] {
  const head = ['figure', 'measured', 'limit', 'ratio', 'goal', 'verdict']
  const cells = [head, ...rows.map(cellsOf)]
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  const missed = rows.filter(({ verdict }) => verdict === 'missed').length
  const met = rows.filter(({ verdict }) => verdict === 'met').length
  const rates = ([1, 16, 64] as const)
    .map((at) => `${number(echo[at])} of ${number(machineOfGoals[at])}`)
    .join(', ')
  return [
    'goals',
    ...cells.map((row) =>
      row
        .map((cell, at) =>
          at === 0 || at > 3 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
        )
        .join('  ')
        .trimEnd(),
    ),
    `${met} met, ${missed} missed, ${rows.length - met - missed} not measured; margin for noise ${noise * 100} %`,
    'limit: cryptography of a task and one fsync, the echo server for rates, the least gas of a pairing check',
    `this machine's echo server at 1, 16 and 64 connections: ${rates} calls/s on the machine of the goals; load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`,
  ]
}

/** The same for `--json`. */
export const goalReport = (rows: readonly Judged[]) =>
  rows.map(({ goal, measured, limit, ratio, bound, verdict }) => ({
    figure: goal.figure,
    section: goal.section,
    reading: goal.reading,
    unit: goal.unit,
    measured,
    limit,
    ratio,
    goal: goal.atMost ?? goal.atLeast,
    bound,
    verdict,
  }))
