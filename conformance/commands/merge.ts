import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { resultLine } from '../core/lazyEvidence.ts'
import type { ExitCode } from '../core/verdict.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { reportOf } from '../reports/report.ts'
import { reportKinds } from '../reports/reportFiles.ts'
import { mergeLogs } from '../runner/mergeLogs.ts'
import { type ReportRunOptions, reportRun } from './reportRun.ts'
import { recordRun, runsIn } from './runRecords.ts'
import type { CommandIo } from './world.ts'

export type MergeOptions = Pick<ReportRunOptions, 'json' | 'quiet' | 'verbose' | 'signKey'> & {
  /** Event logs, or directories that contain one. */
  readonly logs: readonly string[]
  readonly reportDir: string
  readonly report?: readonly string[] | undefined
}

/**
 * Merges the event logs of the shards of one run, and writes log and reports of the whole run.
 *
 * @throws CannotRun
 */
export async function merge(options: MergeOptions, world: CommandIo): Promise<ExitCode> {
  const { logs, reportDir: directory } = options
  const kinds = reportKinds(options.report)
  const events = mergeLogs(
    logs.map((path) => ({ name: path, events: loadEvents(path, { lean: true }).events })),
  )
  const merged = reportOf(events)
  const { code, reason } = merged.summary
  const { finished } = merged
  const report =
    finished === undefined
      ? merged
      : { ...merged, finished: { ...finished, code, ...(reason && { reason }) } }
  // They were redacted when written.
  const lines = [
    [JSON.stringify(report.started)],
    ...report.results.map(resultLine),
    ...(report.finished === undefined ? [] : [[JSON.stringify(report.finished)]]),
  ]
  mkdirSync(directory, { recursive: true })
  replaceFileSync(
    join(directory, 'events.ndjson'),
    lines.flatMap((line) => [...line, '\n']),
  )
  // Its replay ids are those of the shards: repeated on their target.
  const shards = new Set(logs.map((path) => resolve(world.cwd, path)))
  const known = runsIn(world.cwd).find(
    ({ events: own }) => shards.has(own) || shards.has(dirname(own)),
  )
  if (known?.settings !== undefined)
    recordRun({
      cwd: world.cwd,
      startedAt: new Date(),
      directory,
      isReplay: false,
      settings: known.settings,
    })
  await reportRun(report, lines, { ...options, directory, kinds }, world)
  return code
}
