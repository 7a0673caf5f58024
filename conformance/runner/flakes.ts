import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { RunEvent } from '../core/events.ts'
import type { Verdict } from '../core/verdict.ts'

/** A check that did not come to the same in every run. */
export type Flake = {
  readonly id: string
  /** How many runs it came to each; `none` where it did not report. */
  readonly verdicts: Readonly<Partial<Record<Verdict | 'none', number>>>
}

/** What a certificate may quote of runs in a row. */
export type FlakeReport = {
  readonly runs: number
  readonly seeds: readonly string[]
  /** Checks that differed; runs without a difference are worth as much as they are many. */
  readonly flakes: readonly Flake[]
  /** Runs in which some check came to something else than in most. */
  readonly flakyRuns: number
}

const verdictsOf = (events: readonly RunEvent[]): ReadonlyMap<string, Verdict> =>
  new Map(events.flatMap((e) => (e.type === 'check-finished' ? [[e.id, e.verdict] as const] : [])))

/** Compares runs of the same checks against targets alike, with whatever seeds. */
export const flakesOf = (logs: readonly (readonly RunEvent[])[]): FlakeReport => {
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
    // As many of one as of the other: nobody knows which is the odd one.
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

/** The last runs in a row that somebody recorded; undefined where nobody has. */
export const recordedFlakes = (): FlakeReport | undefined =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as FlakeReport) : undefined

export const recordFlakes = (report: FlakeReport): void =>
  replaceFileSync(recordFile, `${JSON.stringify(report, undefined, 2)}\n`)
