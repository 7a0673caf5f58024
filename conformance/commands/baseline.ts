import { existsSync, rmSync } from 'node:fs'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import { baselineText, isDay, leastReason, readBaseline } from '../baseline/baseline.ts'
import { judgeBaseline } from '../baseline/judgeBaseline.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { BaselineEntry } from '../core/events.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { reportOf } from '../reports/report.ts'
import type { CommandIo } from './world.ts'

export type BaselineUpdateOptions = {
  /** An event log, or the directory of a run. */
  readonly run: string
  readonly file: string
  /** Owner of new entries; existing entries keep theirs. */
  readonly owner: string
  readonly reason: string
  readonly expires: string
  readonly issue?: string | undefined
}

/** @throws CannotRun that names the option, before anything is read */
function checkOptions({ owner, reason, expires, issue }: BaselineUpdateOptions): void {
  if (!isDay(expires))
    throw new CannotRun(
      `--expires ${shown(expires)}: not a date`,
      'Use the last day on which the entries apply, such as 2027-01-31.',
    )
  if (owner.trim() === '')
    throw new CannotRun('--owner is empty', 'Name who fixes the new failures.')
  if (reason.trim().length < leastReason)
    throw new CannotRun(
      `--reason ${shown(reason)}: shorter than ${leastReason} characters`,
      'Say why these failures are accepted, for those who read the file later.',
    )
  if (issue !== undefined && !/^https?:\/\/./.test(issue))
    throw new CannotRun(
      `--issue ${shown(issue)}: not a URL`,
      'Use the address of an issue, such as https://tracker.example/12.',
    )
}

const shown = (text: string) => JSON.stringify(text.slice(0, 100))

/**
 * Writes the failures of a run into a baseline: known failures keep their entries, fixed ones are
 * removed, new ones get the given owner, reason and expiry date. Entries of checks that did not run
 * stay.
 */
export function updateBaseline(
  options: BaselineUpdateOptions,
  { stdout }: Pick<CommandIo, 'stdout'>,
): ExitCode {
  const { file, owner, reason, expires, issue } = options
  checkOptions(options)
  const ids = checks.map(({ id }) => id)
  const report = reportOf(loadEvents(options.run).events)
  if (report.results.length === 0)
    throw new CannotRun('the run has no results', 'Write a baseline from a completed run.')
  const before = existsSync(file) ? readBaseline(file, ids) : []
  const { stale } = judgeBaseline(before, report.results, report.started.at)
  const failed = report.results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)
  const added = failed
    .filter((id) => !before.some(({ check }) => check === id))
    .map((check): BaselineEntry => ({ check, reason, owner, expires, ...(issue ? { issue } : {}) }))
  const after = [...before.filter((entry) => !stale.includes(entry)), ...added]
  const text = baselineText([...after].sort((a, b) => (a.check < b.check ? -1 : 1)))
  const fresh = `${file}.new`
  replaceFileSync(fresh, text, { durable: false })
  try {
    // Validated before the file is replaced.
    readBaseline(fresh, ids)
  } finally {
    rmSync(fresh, { force: true })
  }
  replaceFileSync(file, text)
  stdout.write(`${file}: ${added.length} added, ${stale.length} fixed, ${after.length} in all\n`)
  return exitCode.conformant
}
