import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { counted } from 'polgate-lib/text/counted.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { eventLogVersion } from '../core/events.ts'
import type { Target } from '../core/target.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { type Comparison, compareReports } from '../reports/comparison.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { isComplete, type Report, reportOf } from '../reports/report.ts'
import { type SuiteRun, suiteVersion } from './runSuite.ts'

/** What to do where there is no run to compare with. */
export const withoutReferenceModes = ['fail', 'verdict'] as const
export type WithoutReference = (typeof withoutReferenceModes)[number]

export type GateOptions = {
  /** An event log, or the directory of a run: only what got worse since then fails the run. */
  readonly compareWith?: string | undefined
  /**
   * `fail`, the default: a run without a usable reference does not start. `verdict`: the verdict of the run
   * itself decides. The latter is for the first run.
   */
  readonly withoutReference?: string | undefined
}

/** The run to compare with. */
export type Reference =
  | { readonly path: string; readonly report: Report }
  | { readonly path: string; readonly why: string }

/** The outcome of a comparison. */
export type Gate = {
  /**
   * `no-reference`: the verdict of the run decided. `stopped`: the run did not finish, or
   * checks did not report, and none of the others failed anew. `inconclusive`: all that was lost is without an
   * answer, or timed out on an overloaded machine.
   */
  readonly outcome: 'passed' | 'failed' | 'inconclusive' | 'stopped' | 'no-reference'
  readonly code: ExitCode
  /** In one line. */
  readonly reason: string
  readonly reference: string
  readonly comparison?: Comparison
}

/** The version of a log, read before the log is: one of another version is no damage. */
function versionOf(path: string): unknown {
  const [first = ''] = readFileSync(path, 'utf8').split('\n', 1)
  try {
    return (JSON.parse(first) as { version?: unknown }).version
  } catch {
    return undefined
  }
}

function uselessBecause(report: Report): string | undefined {
  const { started, finished, summary } = report
  if (started.suite !== suiteVersion)
    return `it is a run of ${started.suite}, and this is ${suiteVersion}`
  if (!isComplete(report)) return 'that run did not finish'
  if (report.unreported.length > 0)
    return `${counted(report.unreported.length, 'check')} of that run did not report`
  if (finished?.code === exitCode.couldNotRun) return 'that run could not run'
  if (summary.passed + (summary.own?.passed ?? 0) === 0) return 'that run proves nothing'
  return undefined
}

function readReference(given: string, cwd: string): Reference {
  const place = resolve(cwd, given)
  const found = statSync(place, { throwIfNoEntry: false })
  const path = found?.isDirectory() ? join(place, 'events.ndjson') : place
  if (!existsSync(path)) return { path: given, why: 'there is no such event log' }
  const version = versionOf(path)
  if (typeof version === 'number' && version !== eventLogVersion)
    return { path: given, why: `it is an event log of version ${version}` }
  // A damaged log is an error, whatever is to happen without one.
  const report = reportOf(loadEvents(path).events)
  const why = uselessBecause(report)
  return why === undefined ? { path: given, report } : { path: given, why }
}

/** The reference of a run, if it has one. */
export type OpenGate = {
  /** Called with the target before the first check. @throws CannotRun */
  readonly onTarget: (target: Pick<Target, 'name'>) => void
  readonly judge: (run: SuiteRun) => Gate
}

/**
 * Reads the run to compare with, before anything is started.
 * @throws CannotRun where it is damaged, or missing and needed
 */
export function openGate(
  options: GateOptions & { readonly baseline?: string | undefined },
  cwd: string,
  note: (text: string) => void,
): OpenGate | undefined {
  const { compareWith, withoutReference = 'fail', baseline } = options
  const mode = withoutReferenceModes.find((each) => each === withoutReference)
  if (mode === undefined)
    throw new CannotRun(
      `--without-reference '${withoutReference}' is unknown`,
      `Use ${withoutReferenceModes.join(' or ')}.`,
    )
  if (compareWith === undefined) {
    if (options.withoutReference === undefined) return undefined
    throw new CannotRun('--without-reference needs --compare-with', 'Name the run to compare with.')
  }
  if (baseline !== undefined)
    throw new CannotRun(
      '--baseline and --compare-with exclude each other',
      'Both say which failures are known: give one.',
    )
  let reference = readReference(compareWith, cwd)
  const expectUsable = () => {
    if (!('why' in reference)) return
    if (mode === 'fail')
      throw new CannotRun(
        `cannot compare with ${reference.path}: ${reference.why}`,
        'Give a finished run of this suite on this target; for a first run add --without-reference verdict, and its own verdict decides.',
      )
    note(
      `nothing to compare with at ${reference.path}: ${reference.why}; the verdict of this run decides`,
    )
  }
  expectUsable()
  return {
    onTarget: ({ name }) => {
      if ('why' in reference || reference.report.started.target === name) return
      const why = `it is a run on '${reference.report.started.target}', and this is '${name}'`
      reference = { path: reference.path, why }
      expectUsable()
    },
    judge: (run) => judge(run, reference),
  }
}

function judge({ report, code }: SuiteRun, reference: Reference): Gate {
  const { path } = reference
  if ('why' in reference)
    return {
      outcome: 'no-reference',
      code,
      reason: `not compared with ${path}: ${reference.why}; the verdict of the run decides`,
      reference: path,
    }
  const comparison = compareReports(reference.report, report)
  const facts = { reference: path, comparison }
  if (code === exitCode.interrupted || code === exitCode.couldNotRun)
    return { outcome: 'stopped', code, reason: 'the run did not finish', ...facts }
  const { newFailures, newlyUntested } = comparison
  const lost = newlyUntested.filter(({ before }) => before === 'passed')
  const said = `${newFailures.length} new failures and ${lost.length} lost proofs since ${path}`
  const { length: missing } = report.unreported
  // Stopped by --bail at a known failure, say: what did not run may have got worse.
  if (missing > 0 && newFailures.length === 0)
    return {
      outcome: 'stopped',
      code,
      reason: `${counted(missing, 'check')} did not report`,
      ...facts,
    }
  if (newFailures.length === 0 && lost.length === 0)
    return { outcome: 'passed', code: exitCode.conformant, reason: said, ...facts }
  const excused = new Set(
    report.results.flatMap(({ id, outage, overload }) => ((outage ?? overload) ? [id] : [])),
  )
  const inconclusive = newFailures.length === 0 && lost.every(({ id }) => excused.has(id))
  return inconclusive
    ? {
        outcome: 'inconclusive',
        code: exitCode.inconclusive,
        reason: `${said}, all without an answer or on an overloaded machine`,
        ...facts,
      }
    : { outcome: 'failed', code: exitCode.notConformant, reason: said, ...facts }
}
