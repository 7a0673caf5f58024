import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { PrepareOptions } from '../targets/prepare.ts'

/** Directory of the records of runs, and of runs without a directory of their own, by start time. */
const runsDirectory = (cwd: string): string => join(cwd, '.svc/runs')

const logFile = 'events.ndjson'
const recordFile = 'run.json'

/** How a run was started, to repeat it: its target and its time limits as they were given. */
export type RunSettings = PrepareOptions & {
  /** Files or patterns of the gateway's own checks, which a repeated run loads too. */
  readonly checks?: readonly string[] | undefined
  readonly timeout?: string | undefined
  readonly requestTimeout?: string | undefined
}

/** A run that was started in this directory, wherever its reports are. */
export type RunRecord = {
  /** Absolute path of its event log. */
  readonly events: string
  /** It repeated one check of another run. */
  readonly isReplay: boolean
  /** Undefined for a log of an earlier release. */
  readonly settings: RunSettings | undefined
}

export type RecordRunOptions = {
  readonly cwd: string
  readonly startedAt: Date
  /** Directory of its reports; one below the records by default. */
  readonly directory: string | undefined
  readonly isReplay: boolean
  readonly settings: RunSettings
}

/**
 * Chooses the directory of a run, and records it: `polgate replay` and `--only-failed` find the runs of a
 * directory wherever they wrote. A place that cannot be written is no reason not to run.
 */
export function recordRun(options: RecordRunOptions): string {
  const { cwd, startedAt, directory, isReplay, settings } = options
  const place = join(runsDirectory(cwd), startedAt.toISOString().replaceAll(/[:.]/g, '-'))
  const events = join(directory === undefined ? place : resolve(cwd, directory), logFile)
  const { target, targetFile, explorerUrl, limits, checks, timeout, requestTimeout } = settings
  const kept = { target, targetFile, explorerUrl, limits, checks, timeout, requestTimeout }
  try {
    mkdirSync(place, { recursive: true })
    const text = JSON.stringify({ events, isReplay, settings: kept }, undefined, 2)
    replaceFileSync(join(place, recordFile), `${text}\n`)
  } catch {
    // The reports are written elsewhere; their ids then need --events.
  }
  return directory ?? place
}

function recordIn(place: string): RunRecord | undefined {
  const own = join(place, logFile)
  const path = join(place, recordFile)
  // An earlier release wrote none.
  const record = existsSync(path) ? parsed(path) : undefined
  if (record !== undefined && existsSync(record.events)) return record
  return existsSync(own) ? { events: own, isReplay: false, settings: undefined } : undefined
}

/** @throws CannotRun for a damaged record: without it another run would be repeated */
function parsed(path: string): RunRecord {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunRecord
  } catch (cause) {
    throw new CannotRun(
      `the record of a run, ${path}, is damaged: ${cause instanceof SyntaxError ? 'it is not JSON' : (cause as Error).message}`,
      `Delete ${dirname(path)} to go on without this run.`,
      cause,
    )
  }
}

/** The runs of a directory that have a log, the newest first. */
export function runsIn(cwd: string): readonly RunRecord[] {
  const runs = runsDirectory(cwd)
  const names = existsSync(runs) ? readdirSync(runs).sort().reverse() : []
  return names.flatMap((name) => recordIn(join(runs, name)) ?? [])
}

/** The newest run that is not a replay. */
export const lastRunIn = (cwd: string): RunRecord | undefined =>
  runsIn(cwd).find(({ isReplay }) => !isReplay)
