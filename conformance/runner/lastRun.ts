import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadEvents } from '../reports/readEvents.ts'
import { CannotRun } from './conformanceError.ts'

/** Where runs are kept that name no directory of their own, by the time they began. */
export const runsDirectory = (cwd: string): string => join(cwd, '.svc/runs')

/** The directory of the newest run that left a log; undefined where there is none. */
export const lastRunIn = (cwd: string): string | undefined => {
  const runs = runsDirectory(cwd)
  const newest = existsSync(runs)
    ? readdirSync(runs)
        .sort()
        .findLast((name) => existsSync(join(runs, name, 'events.ndjson')))
    : undefined
  return newest === undefined ? undefined : join(runs, newest)
}

/** The same where one is needed. */
export const lastRun = (cwd: string): string => {
  const newest = lastRunIn(cwd)
  if (newest === undefined)
    throw new CannotRun(
      `no run is kept in ${runsDirectory(cwd)}`,
      'Name one: --only-failed out/events.ndjson.',
    )
  return newest
}

/** The checks of an earlier run that failed or did not report, and its seed. */
export const failedIn = (
  path: string,
): { readonly ids: readonly string[]; readonly seed: string } => {
  const { events, path: file } = loadEvents(path)
  const started = events.find((event) => event.type === 'run-started')!
  const passed = new Set(
    events.flatMap((e) => (e.type === 'check-finished' && e.verdict !== 'failed' ? [e.id] : [])),
  )
  const ids = started.checks.map(({ id }) => id).filter((id) => !passed.has(id))
  if (ids.length === 0)
    throw new CannotRun(`no check failed in ${file}`, 'There is nothing to ask again.')
  return { ids, seed: started.seed }
}
