import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CannotRun } from '../core/conformanceError.ts'
import type { EarlierRun } from '../runner/plan.ts'

/** Directory of runs without an explicit one, by start time. */
export const runsDirectory = (cwd: string): string => join(cwd, '.svc/runs')

/** The directory of the newest run that has a log; undefined if there is none. */
export function lastRunIn(cwd: string): string | undefined {
  const runs = runsDirectory(cwd)
  const newest = existsSync(runs)
    ? readdirSync(runs)
        .sort()
        .findLast((name) => existsSync(join(runs, name, 'events.ndjson')))
    : undefined
  return newest === undefined ? undefined : join(runs, newest)
}

/** The same if one is required. */
function lastRun(cwd: string): string {
  const newest = lastRunIn(cwd)
  if (newest === undefined)
    throw new CannotRun(
      `no run found in ${runsDirectory(cwd)}`,
      'Give one: --only-failed out/events.ndjson.',
    )
  return newest
}

/** The checks of an earlier run that failed, did not report or got no answer, and its seed. */
async function failedIn(path: string): Promise<EarlierRun> {
  const { loadEvents } = await import('../reports/readEvents.ts')
  const { events, path: file } = loadEvents(path)
  const started = events.find((event) => event.type === 'run-started')!
  const passed = new Set(
    events.flatMap((e) =>
      e.type === 'check-finished' && e.verdict !== 'failed' && e.outage === undefined ? [e.id] : [],
    ),
  )
  const ids = started.checks.map(({ id }) => id).filter((id) => !passed.has(id))
  if (ids.length === 0)
    throw new CannotRun(`no check failed in ${file}`, 'There is nothing to rerun.')
  return { ids, seed: started.seed }
}

export type EarlierRunOptions = {
  /** An event log, or the directory of a run; true for the last one. */
  readonly onlyFailed?: string | boolean | undefined
}

/** The failed checks of the run that is named; undefined where none is. */
export const earlierRun = async (
  { onlyFailed = false }: EarlierRunOptions,
  cwd: string,
): Promise<EarlierRun | undefined> =>
  onlyFailed === false ? undefined : failedIn(onlyFailed === true ? lastRun(cwd) : onlyFailed)
