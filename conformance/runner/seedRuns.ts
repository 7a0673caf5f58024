import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { CheckFinished, RunEvent } from '../core/events.ts'

/** A must check without a pass, and why. */
export type NotPassed = { readonly id: string; readonly reason: string }

/** What one run with one seed showed. */
export type SeedRun = {
  readonly seed: string
  readonly seconds: number
  /** Of the machine, at the begin and the end of the run. */
  readonly load: string
  readonly failed: readonly NotPassed[]
  readonly untestable: readonly NotPassed[]
}

/** Runs of one target, which an interrupted series continues. */
export type SeedSeries = {
  readonly target: string
  /** Further flags of `polgate run`. */
  readonly flags: readonly string[]
  /** The seed of the run in progress: it is tried again if the run does not end. */
  readonly next?: string | undefined
  readonly runs: readonly SeedRun[]
}

/** Runs in which a must check had one outcome. */
export type Outcome = {
  readonly id: string
  readonly seeds: readonly string[]
  /** Of the last of these runs. */
  readonly reason: string
}

/** What a certificate quotes of a series. */
export type SeedRecord = { readonly runs: number; readonly runsWithFailures: number }

/** A must check that is untestable in a larger part of the runs decides verdicts. */
const often = 0.1

const musts = (
  events: readonly RunEvent[],
  verdict: CheckFinished['verdict'],
): readonly NotPassed[] =>
  events.flatMap((event) =>
    event.type === 'check-finished' && event.level === 'must' && event.verdict === verdict
      ? [{ id: event.id, reason: event.reason ?? '' }]
      : [],
  )

/** The result of a run that ended. */
export function seedRunOf(events: readonly RunEvent[]): SeedRun | undefined {
  const start = events.find((event) => event.type === 'run-started')
  const end = events.find((event) => event.type === 'run-finished')
  if (start === undefined || end === undefined || end.interrupted) return undefined
  const { load } = end
  return {
    seed: start.seed,
    seconds: Math.round(end.ms / 1000),
    load: load === undefined ? 'unknown' : `${load.begin} to ${load.end}`,
    failed: musts(events, 'failed'),
    untestable: musts(events, 'untestable'),
  }
}

/** By check, the most frequent first. */
function outcomesOf(
  runs: readonly SeedRun[],
  of: (run: SeedRun) => readonly NotPassed[],
): readonly Outcome[] {
  const found = new Map<string, Outcome>()
  for (const run of runs)
    for (const { id, reason } of of(run))
      found.set(id, { id, seeds: [...(found.get(id)?.seeds ?? []), run.seed], reason })
  return [...found.values()].sort(
    (a, b) => b.seeds.length - a.seeds.length || (a.id < b.id ? -1 : 1),
  )
}

export type SeedSummary = {
  readonly failed: readonly Outcome[]
  readonly untestable: readonly Outcome[]
  /** Of these, the ones that decide the verdict of many runs. */
  readonly often: readonly Outcome[]
}

export function summaryOf(runs: readonly SeedRun[]): SeedSummary {
  const untestable = outcomesOf(runs, (run) => run.untestable)
  return {
    failed: outcomesOf(runs, (run) => run.failed),
    untestable,
    often: untestable.filter(({ seeds }) => seeds.length > often * runs.length),
  }
}

const shownSeeds = 5

/** The summary as lines of text. */
export function summaryText(runs: readonly SeedRun[]): string {
  const { failed, untestable, often } = summaryOf(runs)
  const lines = (title: string, outcomes: readonly Outcome[]) => [
    `${title}: ${outcomes.length}`,
    ...outcomes.map(({ id, seeds, reason }) => {
      const more = seeds.length > shownSeeds ? ', ...' : ''
      const shown = `${seeds.slice(0, shownSeeds).join(', ')}${more}`
      return `  ${id}  ${seeds.length} of ${runs.length} runs (${shown}): ${reason}`
    }),
  ]
  return [
    ...lines('failed must checks', failed),
    ...lines('must checks that were untestable', untestable),
    `often untestable, so that they decide verdicts: ${often.length}`,
  ].join('\n')
}

const recordFile = fileURLToPath(new URL('./seedRuns.json', import.meta.url))

/** The last recorded series; undefined if there is none. */
export const recordedSeedRuns = (): SeedRecord | undefined =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as SeedRecord) : undefined

export function recordSeedRuns(runs: readonly SeedRun[]): void {
  const record: SeedRecord = {
    runs: runs.length,
    runsWithFailures: runs.filter(({ failed }) => failed.length > 0).length,
  }
  replaceFileSync(recordFile, `${JSON.stringify(record, undefined, 2)}\n`)
}
