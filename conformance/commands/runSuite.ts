import { availableParallelism } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { type CheckInfo, planned } from '../core/check.ts'
import { eventLogVersion, type RunEvent } from '../core/events.ts'
import type { Target } from '../core/target.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { saveCounterexamples } from '../fixtures/counterexample.ts'
import { type Report, reportOf } from '../reports/report.ts'
import { loadCheckThread } from '../runner/checkThread.ts'
import { createEventLog } from '../runner/eventLog.ts'
import { machineLoad } from '../runner/pace.ts'
import { isWhole, type Plan } from '../runner/plan.ts'
import { runInThreads } from '../runner/runInThreads.ts'
import { probeCapabilities } from '../targets/capabilities.ts'
import { upward } from '../targets/findTarget.ts'
import { createLimitState } from '../targets/limits.ts'
import { type PrepareOptions, type PrepareWorld, prepareTarget } from '../targets/prepare.ts'
import { untilReachable } from '../targets/reachable.ts'
import { restoreControls } from '../targets/restoreControls.ts'
import { restoreSecrets } from '../targets/restoreSecrets.ts'
import { limiterOf, secretsOf } from '../targets/target.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { redactor } from '../wire/redact.ts'
import type { PlannedRun } from './planRun.ts'
import type { RunSettingValues } from './runSettings.ts'
import { fixtureClientsOf, neededBy } from './targetNeeds.ts'

export type RunSuiteOptions = PrepareOptions & {
  readonly planned: PlannedRun
  readonly settings: RunSettingValues
  readonly bail?: number | undefined
}

export type RunSuiteWorld = PrepareWorld & {
  readonly signal: AbortSignal
  /** What is being done before the first check, for a person. */
  readonly note: (text: string) => void
  /** Where the log is written; undefined writes no file. Called once the target answers. */
  readonly directoryOf: (startedAt: Date) => string | undefined
  /** Called with the target before the first check; may throw `CannotRun`. */
  readonly onTarget?: ((target: Target) => void) | undefined
  /** Called with each event, without secrets. */
  readonly onEvent: (event: RunEvent) => void
  /** Errors of this process that no check caught, asked for at the end. */
  readonly strayErrors?: (() => readonly string[]) | undefined
}

/** A run that ended, with or without all of its checks. */
export type SuiteRun = {
  readonly report: Report
  /** Of the event log. */
  readonly lines: readonly string[]
  readonly code: ExitCode
  readonly directory: string | undefined
}

/** Version of the suite (register and checks), not of the target. */
export const suiteVersion = `conformance ${packageVersion}`

/** Each thread of a run loads the checks. */
const suiteWorker = new URL('./suite.worker.mjs', import.meta.url)

/**
 * Runs planned checks against one target, and ends all that it started. The plan's own checks are loaded
 * by the threads: close them afterwards.
 * @throws CannotRun where the target cannot be used
 */
export async function runSuite(options: RunSuiteOptions, world: RunSuiteWorld): Promise<SuiteRun> {
  const { planned: chosen, settings } = options
  const { all, own, plan } = chosen
  const { signal, note, onEvent } = world
  const startedAt = new Date()
  const loadBefore = machineLoad()
  const data = { own: own.modules }
  // Loads in parallel with the start of a local stack, which is mostly waiting for its processes.
  const loading = loadCheckThread(suiteWorker, data)
  const prepareOptions = { ...options, fixtureClients: fixtureClientsOf(plan) }
  const {
    target,
    file: descriptionFile,
    inUse,
    close,
  } = await prepareTarget(prepareOptions, world, note).catch(async (error) => {
    await loading.worker.terminate()
    throw error
  })
  try {
    world.onTarget?.(target)
    await untilReachable(target, { fetch: freshFetch, ms: settings.readyMs, signal })
    const limitState = createLimitState()
    const polite = limiterOf(target, limitState).limit(freshFetch)
    const needs = neededBy(plan)
    const { found, missing, blockMs } = await probeCapabilities(all, target, polite, needs)
    await restoreControls(target, { fetch: polite, note })
    if (inUse) await restoreSecrets(target, plan.checks, note)
    const directory = world.directoryOf(startedAt)
    const file = directory === undefined ? undefined : join(directory, 'events.ndjson')
    const log = createEventLog(file, redactor(secretsOf(target)))
    const emit = (event: RunEvent) => {
      log.append(event)
      onEvent(log.events.at(-1)!)
    }
    emit({
      type: 'run-started',
      version: eventLogVersion,
      at: startedAt.toISOString(),
      seed: plan.seed,
      effort: settings.effort,
      ...(settings.fullMatrix ? { fullMatrix: true as const } : {}),
      target: target.name,
      ...placeOf(descriptionFile, world.cwd),
      gatewayUrl: target.gatewayUrl,
      suite: suiteVersion,
      capabilities: found,
      missing,
      blockMs,
      ...(target.identity === undefined ? {} : { identity: target.identity }),
      ...claimOf(plan, target),
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
      data,
      loading,
      workers,
      concurrency,
      bail: options.bail,
      onResult: emit,
      signal,
    })
    world.detail?.(
      `${counted(limiterOf(target, limitState).sent(), 'request was', 'requests were')} sent to the target`,
    )
    const broken = [...errors, ...(world.strayErrors?.() ?? [])]
    const end = {
      ...finished(startedAt, signal.aborted, broken),
      load: { begin: loadBefore, end: machineLoad(), processors: availableParallelism() },
      ...(bailed && options.bail !== undefined ? { bail: options.bail } : {}),
    }
    const { code, reason } = reportOf([...log.events, end]).summary
    emit({ ...end, code, ...(reason && { reason }) })
    await log.close()
    if (directory !== undefined) saveCounterexamples(log.events, target, directory)
    return { report: reportOf(log.events), lines: log.lines, code, directory }
  } finally {
    await loading.worker.terminate()
    await close()
  }
}

/** What the run tests, and what the target waives of what its checks need. */
function claimOf({ claimed, notClaimed, checks }: Plan<CheckInfo>, { notApplicable }: Target) {
  const needed = new Set<string>(checks.flatMap(({ needs }) => needs))
  const waived = Object.entries(notApplicable).filter(([name]) => needed.has(name))
  return {
    profiles: claimed,
    ...(notClaimed === 0 ? {} : { notClaimed }),
    ...(waived.length === 0 ? {} : { waived: Object.fromEntries(waived) }),
  }
}

/** The file of a target, as a reader of the repository finds it. */
function placeOf(file: string | undefined, cwd: string): { readonly targetFile?: string } {
  if (file === undefined) return {}
  const place = relative(upward(cwd).at(-1)!, file)
  return place.startsWith('..') || isAbsolute(place)
    ? {}
    : { targetFile: place.replaceAll(sep, '/') }
}

const partOf = (plan: Plan<CheckInfo>) => ({
  ...(plan.shard === undefined && isWhole(plan) ? {} : { of: plan.of }),
  ...(plan.shard === undefined
    ? {}
    : {
        shard: {
          index: plan.shard.index,
          count: plan.shard.count,
          others: plan.shard.others.map(planned),
        },
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
