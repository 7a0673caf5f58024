import { CannotRun } from '../core/conformanceError.ts'
import type { EarlierRun } from '../runner/plan.ts'
import { lastRunIn, type RunRecord, type RunSettings } from './runRecords.ts'
import type { CommandIo } from './world.ts'

/** The newest run of a directory if one is required. */
function lastRun(cwd: string): RunRecord {
  const newest = lastRunIn(cwd)
  if (newest === undefined)
    throw new CannotRun(
      'no run was started in this directory',
      'Give its log: --only-failed out/events.ndjson.',
    )
  return newest
}

/**
 * The checks of an earlier run that failed, did not report, got no answer or timed out on an overloaded
 * machine, and its seed.
 */
async function failedIn(path: string): Promise<EarlierRun> {
  const { loadEvents } = await import('../reports/readEvents.ts')
  const { events, path: file } = loadEvents(path)
  const started = events.find((event) => event.type === 'run-started')!
  const passed = new Set(
    events.flatMap((e) =>
      e.type === 'check-finished' &&
      e.verdict !== 'failed' &&
      e.outage === undefined &&
      e.overload === undefined
        ? [e.id]
        : [],
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
  onlyFailed === false
    ? undefined
    : failedIn(onlyFailed === true ? lastRun(cwd).events : onlyFailed)

/** Failed checks are repeated on the target of their run, where no other one is given. */
export function onTheSameTarget<T extends EarlierRunOptions & RunSettings>(
  options: T,
  { cwd, env }: Pick<CommandIo, 'cwd' | 'env'>,
): T {
  const given = options.target ?? options.targetFile ?? env.SVC_TARGET
  if (options.onlyFailed !== true || given) return options
  const { settings } = lastRun(cwd)
  const known = Object.entries(settings ?? {}).filter(([, value]) => value !== undefined)
  const asked = Object.entries(options).filter(([, value]) => value !== undefined)
  // The limits of both: those of the flags are always given, and may be empty.
  const limits = { ...settings?.limits, ...options.limits }
  return { ...(Object.fromEntries([...known, ...asked]) as T), limits }
}
