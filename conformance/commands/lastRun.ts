import { CannotRun } from '../core/conformanceError.ts'
import type { RunStarted } from '../core/events.ts'
import type { EarlierRun } from '../runner/plan.ts'
import { lastRunIn, type RunRecord, type RunSettings, runsIn } from './runRecords.ts'
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

type EventRun = {
  readonly path: string
  readonly started: RunStarted
  readonly passed: ReadonlySet<string>
}

async function eventRun(log: string): Promise<EventRun> {
  const { loadEvents } = await import('../reports/readEvents.ts')
  const { events, path } = loadEvents(log)
  const started = events.find((event): event is RunStarted => event.type === 'run-started')!
  const passed = events.flatMap((e) =>
    e.type === 'check-finished' &&
    e.verdict !== 'failed' &&
    e.outage === undefined &&
    e.overload === undefined
      ? [e.id]
      : [],
  )
  return { path, started, passed: new Set(passed) }
}

/** A run before the newest may have been killed while it wrote its log. */
async function readableRun(log: string): Promise<EventRun | undefined> {
  try {
    return await eventRun(log)
  } catch (error) {
    if (error instanceof CannotRun) return undefined
    throw error
  }
}

/** It planned every check of the suite: no other run is needed to know what failed. */
const isFull = ({ of, shard }: RunStarted) => of === undefined && shard === undefined

/**
 * The checks that failed, did not report, got no answer or timed out on an overloaded machine when they
 * ran last, in these runs, the newest first, and the seed of the run that planned most of them.
 */
function failedIn(runs: readonly EventRun[]): EarlierRun {
  const seen = new Set<string>()
  const failed = new Map<EventRun, readonly string[]>()
  for (const run of runs) {
    const ids = run.started.checks.map(({ id }) => id)
    failed.set(
      run,
      ids.filter((id) => !run.passed.has(id) && !seen.has(id)),
    )
    for (const id of ids) seen.add(id)
  }
  const ids = [...failed.values()].flat()
  const [newest, oldest] = [runs[0]!, runs.at(-1)!]
  if (ids.length === 0)
    throw new CannotRun(`no check failed in ${newest.path}`, 'There is nothing to rerun.')
  return { ids, seed: (isFull(oldest.started) ? oldest : newest).started.seed }
}

/**
 * The runs of a directory on the target of its newest one, back to the last that ran every check: a run of a
 * few checks in between does not forget the failures of the others. Without one that ran every check only the
 * newest counts, as its failures are all that is known to be current.
 */
async function runsSinceFull(cwd: string): Promise<readonly EventRun[]> {
  const newest = await eventRun(lastRun(cwd).events)
  const runs: EventRun[] = []
  for (const { events, isReplay } of runsIn(cwd)) {
    const run = isReplay ? undefined : await readableRun(events)
    if (run?.started.target !== newest.started.target) continue
    runs.push(run)
    if (isFull(run.started)) return runs
  }
  return [newest]
}

export type EarlierRunOptions = {
  /** An event log, or the directory of a run; true for the last one. */
  readonly onlyFailed?: string | boolean | undefined
}

/** The failed checks of the run that is named, or of the runs since the last full one; undefined where none is wanted. */
export const earlierRun = async (
  { onlyFailed = false }: EarlierRunOptions,
  cwd: string,
): Promise<EarlierRun | undefined> =>
  onlyFailed === false
    ? undefined
    : failedIn(onlyFailed === true ? await runsSinceFull(cwd) : [await eventRun(onlyFailed)])

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
