import { resolve } from 'node:path'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { coloursFor } from '../reports/colours.ts'
import { createProgress } from '../reports/progress.ts'
import { type PrepareOptions, prepareTarget } from '../targets/prepare.ts'
import { shownTarget } from '../targets/shownTarget.ts'
import { secretsOf } from '../targets/target.ts'
import { wantedJson, wantedTarget, wantedText } from '../targets/wantedTarget.ts'
import { redactor } from '../wire/redact.ts'
import { resultOf, withReporterErrors } from './certifyResult.ts'
import { type GateOptions, openGate } from './gate.ts'
import { onTheSameTarget } from './lastRun.ts'
import { claimedBy, type PlannedRun, type PlanRunOptions, planRun } from './planRun.ts'
import { plannedJson, planReport } from './planText.ts'
import { openReporters, type Reporter } from './reporter.ts'
import { type ReportRunOptions, reportRun } from './reportRun.ts'
import { recordRun } from './runRecords.ts'
import { type SettingFlags, settingsOf } from './runSettings.ts'
import { runSuite } from './runSuite.ts'
import type { CommandIo } from './world.ts'

/** Collects unhandled rejections in this process, which may also run a local stack. */
function collectStrayErrors(): {
  readonly errors: readonly string[]
  readonly release: () => void
} {
  const errors: string[] = []
  const note = (error: unknown) => {
    errors.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
  process.on('unhandledRejection', note)
  return { errors, release: () => process.off('unhandledRejection', note) }
}

export type CertifyOptions = PlanRunOptions &
  PrepareOptions &
  SettingFlags &
  GateOptions &
  Pick<ReportRunOptions, 'json' | 'quiet' | 'verbose'> & {
    readonly bail?: number | undefined
    /** Profiles to test besides those that the target file claims. */
    readonly require?: readonly string[] | undefined
    /** Prints the resolved target without secrets, and sends no requests. */
    readonly printConfig?: boolean | undefined
    /** Prints the plan, and sends no requests. */
    readonly dryRun?: boolean | undefined
    readonly reportDir?: string | undefined
    /** Reporters of the user: modules, or objects. */
    readonly reporter?: readonly (string | Reporter)[] | undefined
    /** Why the run is repeated: for one check of another run, or for another command. */
    readonly repeats?: 'a replay' | 'a command' | undefined
  }

/** Streams and environment of a run, injectable for tests. */
export type CertifyWorld = CommandIo

/**
 * Runs the selected checks against one target: results on stdout, progress on stderr, the event log
 * and the reports in a directory. Never throws; a run that cannot start has exit code 2.
 */
export async function certify(options: CertifyOptions, world: CertifyWorld): Promise<ExitCode> {
  try {
    const given = onTheSameTarget(options, world)
    const chosen = { ...given, claimed: claimedBy(given, world) }
    const planned = await planRun(chosen, world.cwd)
    try {
      return await run(chosen, planned, world)
    } finally {
      planned.own.close()
    }
  } catch (error) {
    if (world.signal.aborted) {
      world.stderr.write('interrupted before the first check\n')
      return exitCode.interrupted
    }
    world.stderr.write(`${errorText(error)}\n`)
    return exitCode.couldNotRun
  }
}

async function run(
  options: CertifyOptions,
  planned: PlannedRun,
  world: CertifyWorld,
): Promise<ExitCode> {
  const { stdout, stderr, env, cwd } = world
  const { plan, all } = planned
  const settings = settingsOf(
    options,
    all.map(({ id }) => id),
  )
  ;(options.json || options.printConfig ? stderr : stdout).write(`seed ${plan.seed}\n`)
  if (options.dryRun) {
    const wanted = wantedTarget(options, world)
    stdout.write(
      options.json
        ? `${JSON.stringify({ seed: plan.seed, target: wantedJson(wanted), checks: plan.checks.map(plannedJson) }, undefined, 2)}\n`
        : wrapText(planReport(plan, wantedText(wanted)), outputWidth(stdout, env)),
    )
    return exitCode.conformant
  }
  const live = stderr.isTTY === true && env.TERM !== 'dumb'
  const silent = { write: () => true }
  const progress = createProgress(options.quiet ? silent : stderr, coloursFor(stderr, env), live)
  if (options.printConfig) {
    const { target, close } = await prepareTarget(options, world, progress.note)
    stdout.write(redactor(secretsOf(target))(shownTarget(target, options.json ? 'json' : 'yaml')))
    await close()
    return exitCode.conformant
  }
  const gate = openGate(options, cwd, progress.note)
  const reporters = await openReporters(options.reporter ?? [], cwd)
  // Without it the process would end, and the results so far would be lost.
  const stray = collectStrayErrors()
  try {
    const done = await runSuite(
      { ...options, planned, settings },
      {
        ...world,
        note: progress.note,
        directoryOf: (startedAt) => {
          const directory = directoryOf(options, world, startedAt)
          world.detail?.(`event log and reports in ${resolve(cwd, directory)}`)
          return directory
        },
        onTarget: gate?.onTarget,
        onEvent: (event) => {
          progress.show(event)
          reporters.event(event)
        },
        strayErrors: () => stray.errors,
      },
    ).finally(progress.end)
    const directory = done.directory!
    const judged = gate?.judge(done)
    const { kinds } = settings
    const reports = await reportRun(
      done.report,
      done.lines,
      { ...options, directory, kinds, gate: judged },
      world,
    )
    const result = resultOf(done, { reports, gate: judged })
    const errors = await reporters.end(result)
    for (const error of errors) stderr.write(`${errorText(error)}\n`)
    return withReporterErrors(result, errors).exitCode
  } finally {
    stray.release()
  }
}

/** Runs of another command are of no interest later. */
function directoryOf(options: CertifyOptions, { cwd, env }: CertifyWorld, startedAt: Date): string {
  const { reportDir, repeats } = options
  if (repeats === 'a command' && reportDir !== undefined) return reportDir
  const target = options.target ?? (options.targetFile === undefined ? env.SVC_TARGET : undefined)
  const settings = { ...options, target }
  return recordRun({
    cwd,
    startedAt,
    directory: reportDir,
    isReplay: repeats === 'a replay',
    settings,
  })
}
