import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { planned } from '../core/check.ts'
import { eventLogVersion, type RunEvent } from '../core/events.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { saveCounterexamples } from '../fixtures/counterexample.ts'
import { coloursFor } from '../reports/colours.ts'
import { createProgress } from '../reports/progress.ts'
import { reportOf } from '../reports/report.ts'
import { loadCheckThread } from '../runner/checkThread.ts'
import { createEventLog } from '../runner/eventLog.ts'
import { machineLoad } from '../runner/pace.ts'
import { type Plan, type PlanOptions, planOf } from '../runner/plan.ts'
import { runInThreads } from '../runner/runInThreads.ts'
import { probeCapabilities } from '../targets/capabilities.ts'
import { featuresOf } from '../targets/features.ts'
import { createLimitState } from '../targets/limits.ts'
import { type PrepareOptions, prepareTarget } from '../targets/prepare.ts'
import { untilReachable } from '../targets/reachable.ts'
import { restoreControls } from '../targets/restoreControls.ts'
import { restoreSecrets } from '../targets/restoreSecrets.ts'
import { shownTarget } from '../targets/shownTarget.ts'
import { limiterOf, secretsOf } from '../targets/target.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { redactor } from '../wire/redact.ts'
import { type EarlierRunOptions, earlierRun, onTheSameTarget } from './lastRun.ts'
import { plannedJson, planReport } from './planText.ts'
import { type ReportRunOptions, reportRun } from './reportRun.ts'
import { recordRun } from './runRecords.ts'
import { type SettingFlags, settingsOf } from './runSettings.ts'
import { fixtureClientsOf, wantedOf } from './targetNeeds.ts'
import type { CommandIo } from './world.ts'

/** Collects unhandled rejections in this process, which may also run a local stack. */
function strayErrors(): {
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

export type CertifyOptions = PlanOptions &
  EarlierRunOptions &
  PrepareOptions &
  SettingFlags &
  Pick<ReportRunOptions, 'json' | 'quiet' | 'verbose'> & {
    readonly bail?: number | undefined
    /** Prints the resolved target without secrets, and sends no requests. */
    readonly printConfig?: boolean | undefined
    /** Prints the plan, and sends no requests. */
    readonly dryRun?: boolean | undefined
    readonly reportDir?: string | undefined
    /** Why the run is repeated: for one check of another run, or for another command. */
    readonly repeats?: 'a replay' | 'a command' | undefined
  }

/** Streams and environment of a run, injectable for tests. */
export type CertifyWorld = CommandIo

/** Version of the suite (register and checks), not of the target. */
const suiteVersion = `conformance ${packageVersion}`

/** Each thread of a run loads the checks. */
const suiteWorker = new URL('./suite.worker.mjs', import.meta.url)

/**
 * Runs the selected checks against one target: results on stdout, progress on stderr, the event log
 * and the reports in a directory. Never throws; a run that cannot start has exit code 2.
 */
export async function certify(options: CertifyOptions, world: CertifyWorld): Promise<ExitCode> {
  try {
    return await run(options, world)
  } catch (error) {
    if (world.signal.aborted) {
      world.stderr.write('interrupted before the first check\n')
      return exitCode.interrupted
    }
    world.stderr.write(`${errorText(error)}\n`)
    return exitCode.couldNotRun
  }
}

async function run(given: CertifyOptions, world: CertifyWorld): Promise<ExitCode> {
  const options = onTheSameTarget(given, world)
  const { stdout, stderr, env, cwd, signal } = world
  const settings = settingsOf(options)
  const plan = planOf(checks, options, await earlierRun(options, cwd))
  ;(options.json || options.printConfig ? stderr : stdout).write(`seed ${plan.seed}\n`)
  if (options.dryRun) {
    stdout.write(
      options.json
        ? `${JSON.stringify({ seed: plan.seed, checks: plan.checks.map(plannedJson) }, undefined, 2)}\n`
        : planReport(plan, options.target ?? 'local'),
    )
    return exitCode.conformant
  }
  const live = stderr.isTTY === true && env.TERM !== 'dumb'
  const silent = { write: () => true }
  const progress = createProgress(options.quiet ? silent : stderr, coloursFor(stderr, env), live)
  const startedAt = new Date()
  const loadBefore = machineLoad()
  if (options.printConfig) {
    const { target, close } = await prepareTarget(options, world, progress.note)
    stdout.write(redactor(secretsOf(target))(shownTarget(target, options.json ? 'json' : 'yaml')))
    await close()
    return exitCode.conformant
  }
  // Loads in parallel with the start of a local stack, which is mostly waiting for its processes.
  const loading = loadCheckThread(suiteWorker)
  const prepareOptions = { ...options, fixtureClients: fixtureClientsOf(plan) }
  const { target, inUse, close } = await prepareTarget(prepareOptions, world, progress.note).catch(
    async (error) => {
      await loading.worker.terminate()
      throw error
    },
  )
  // Without it the process would end, and the results so far would be lost.
  const stray = strayErrors()
  try {
    await untilReachable(target, { fetch: freshFetch, ms: settings.readyMs, signal })
    const limitState = createLimitState()
    const polite = limiterOf(target, limitState).limit(freshFetch)
    const wanted = wantedOf(plan, target)
    const { found, missing, blockMs } = await probeCapabilities(
      checks,
      target,
      polite,
      wanted.needs,
    )
    await restoreControls(target, { fetch: polite, note: progress.note })
    if (inUse) await restoreSecrets(target, plan.checks, progress.note)
    const features = await featuresOf(target, missing, polite, wanted.features)
    const directory = directoryOf(options, world, startedAt)
    const log = createEventLog(join(directory, 'events.ndjson'), redactor(secretsOf(target)))
    const emit = (event: RunEvent) => {
      log.append(event)
      progress.show(log.events.at(-1)!)
    }
    emit({
      type: 'run-started',
      version: eventLogVersion,
      at: startedAt.toISOString(),
      seed: plan.seed,
      effort: settings.effort,
      ...(settings.fullMatrix ? { fullMatrix: true as const } : {}),
      target: target.name,
      gatewayUrl: target.gatewayUrl,
      suite: suiteVersion,
      capabilities: found,
      missing,
      blockMs,
      features,
      ...(target.identity === undefined ? {} : { identity: target.identity }),
      checks: plan.checks.map(planned),
      ...(settings.baseline === undefined ? {} : { baseline: settings.baseline }),
      ...partOf(plan),
    })
    const { effort, fullMatrix, checkMs, requestMs, workers, concurrency } = settings
    const begunAt = startedAt.getTime()
    const { errors, bailed } = await runInThreads({
      checks: plan.checks,
      input: {
        target,
        seed: plan.seed,
        effort,
        fullMatrix,
        missing,
        blockMs,
        begunAt,
        checkMs,
        requestMs,
        limitState,
      },
      worker: suiteWorker,
      loading,
      workers,
      concurrency,
      bail: options.bail,
      onResult: emit,
      signal,
    })
    progress.end()
    const end = {
      ...finished(startedAt, signal.aborted, [...errors, ...stray.errors]),
      load: { begin: loadBefore, end: machineLoad(), processors: availableParallelism() },
      ...(bailed && options.bail !== undefined ? { bail: options.bail } : {}),
    }
    const { code, reason } = reportOf([...log.events, end]).summary
    emit({ ...end, code, ...(reason && { reason }) })
    await log.close()
    saveCounterexamples(log.events, target, directory)
    await reportRun(
      reportOf(log.events),
      log.lines,
      { ...options, directory, kinds: settings.kinds },
      world,
    )
    return code
  } finally {
    progress.end()
    await loading.worker.terminate()
    await close()
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

const partOf = ({ checks: chosen, of, shard }: Plan) => ({
  ...(chosen.length === of ? {} : { of }),
  ...(shard === undefined
    ? {}
    : {
        shard: { index: shard.index, count: shard.count, others: shard.others.map(planned) },
      }),
})

function finished(startedAt: Date, interrupted: boolean, broken: readonly string[]) {
  const at = new Date()
  return {
    type: 'run-finished' as const,
    at: at.toISOString(),
    ms: at.getTime() - startedAt.getTime(),
    interrupted,
    ...(broken.length === 0 ? {} : { broken: broken.slice(0, mostErrors) }),
    code: exitCode.inconclusive as ExitCode,
  }
}
/** The first few suffice: a thread that keeps failing repeats the same error. */
const mostErrors = 10
