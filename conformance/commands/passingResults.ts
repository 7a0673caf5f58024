import { dirname } from 'node:path'
import type { Rerun } from '../certificate/challenge.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { CheckFinished } from '../core/events.ts'
import { lastRunIn } from './runRecords.ts'

export type PassingResultsOptions = {
  /** The log of a run, or its directory; the newest run of `cwd` by default. */
  readonly run?: string | undefined
  /** Runs the checks now instead. */
  readonly rerun?: Rerun | undefined
  readonly cwd: string
}

/** Results of checks, and where they are from. */
export type PassingResults = {
  readonly source: string
  readonly results: readonly CheckFinished[]
}

async function resultsIn(path: string, ids: readonly string[]): Promise<readonly CheckFinished[]> {
  // Imported only where there is a log: it compiles the schemas of events.
  const { loadEvents } = await import('../reports/readEvents.ts')
  return loadEvents(path).events.filter(
    (event): event is CheckFinished => event.type === 'check-finished' && ids.includes(event.id),
  )
}

/**
 * Results of these checks from a run of now, from a named log, or from the newest run of the
 * directory. Undefined where there is none of these, or the newest one cannot be read.
 *
 * @throws CannotRun for a named log that cannot be read or has none of the checks
 */
export async function passingResults(
  ids: readonly string[],
  { run, rerun, cwd }: PassingResultsOptions,
): Promise<PassingResults | undefined> {
  if (rerun !== undefined) return { source: 'just run', results: await rerun(ids) }
  if (run !== undefined) {
    const results = await resultsIn(run, ids)
    if (results.length === 0)
      throw new CannotRun(
        `${run} has no result of ${ids.join(', ')}`,
        `Run the check now: polgate explain ${ids[0]} --target local`,
      )
    return { source: run, results }
  }
  const last = lastRunIn(cwd)
  if (last === undefined) return undefined
  const newest = dirname(last.events)
  try {
    return { source: newest, results: await resultsIn(newest, ids) }
  } catch (error) {
    if (error instanceof CannotRun) return undefined
    throw error
  }
}
