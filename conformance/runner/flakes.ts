import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { RunEvent } from '../core/events.ts'
import type { Verdict } from '../core/verdict.ts'

/** A check whose verdict differed between runs. */
export type Flake = {
  readonly id: string
  /** Number of runs per verdict; `none` if it did not report. */
  readonly verdicts: Readonly<Partial<Record<Verdict | 'none', number>>>
}

/** Flake statistics that a certificate may quote. */
export type FlakeReport = {
  readonly runs: number
  readonly seeds: readonly string[]
  /** Checks that differed; the more runs without a difference, the more they prove. */
  readonly flakes: readonly Flake[]
  /** Runs in which some check had another verdict than in most runs. */
  readonly flakyRuns: number
}

const verdictsOf = (events: readonly RunEvent[]): ReadonlyMap<string, Verdict> =>
  new Map(events.flatMap((e) => (e.type === 'check-finished' ? [[e.id, e.verdict] as const] : [])))

/** Compares runs of the same checks against identical targets, with any seeds. */
export function flakesOf(logs: readonly (readonly RunEvent[])[]): FlakeReport {
  const runs = logs.map(verdictsOf)
  const starts = logs.flatMap((events) => events.find((e) => e.type === 'run-started') ?? [])
  const ids = new Set(starts.flatMap(({ checks }) => checks.map(({ id }) => id)))
  const flakyRuns = new Set<number>()
  const flakes = [...ids].sort().flatMap((id): readonly Flake[] => {
    const came = runs.map((run) => run.get(id) ?? 'none')
    const verdicts: Partial<Record<Verdict | 'none', number>> = {}
    for (const verdict of came) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    if (Object.keys(verdicts).length < 2) return []
    const most = Math.max(...Object.values(verdicts))
    for (const [run, verdict] of came.entries()) if (verdicts[verdict] !== most) flakyRuns.add(run)
    // A tie: neither is the outlier.
    if (Object.values(verdicts).every((count) => count === most))
      for (const run of came.keys()) flakyRuns.add(run)
    return [{ id, verdicts }]
  })
  return {
    runs: logs.length,
    seeds: starts.map(({ seed }) => seed),
    flakes,
    flakyRuns: flakyRuns.size,
  }
}

const recordFile = fileURLToPath(new URL('./flakes.json', import.meta.url))

/** The last recorded series of runs; undefined if there is none. */
export const recordedFlakes = (): FlakeReport | undefined =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as FlakeReport) : undefined

export const recordFlakes = (report: FlakeReport): void =>
  replaceFileSync(recordFile, `${JSON.stringify(report, undefined, 2)}\n`)
