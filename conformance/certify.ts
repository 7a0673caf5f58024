import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checks } from './checks/catalogue.ts'
import { coloursFor } from './reports/colours.ts'
import { jsonReport } from './reports/json.ts'
import { junitReport } from './reports/junit.ts'
import { listReport } from './reports/list.ts'
import { createProgress } from './reports/progress.ts'
import { reportOf } from './reports/report.ts'
import { terminalReport } from './reports/terminal.ts'
import { CannotRun } from './runner/conformanceError.ts'
import { createEventLog } from './runner/eventLog.ts'
import { eventLogVersion, type RunEvent } from './runner/events.ts'
import { planned } from './runner/execute.ts'
import { runInThreads } from './runner/runInThreads.ts'
import { freshSeed, parseSeed } from './runner/seed.ts'
import { selectChecks } from './runner/select.ts'
import { type ExitCode, exitCode } from './runner/verdict.ts'
import { expectReachable, probeCapabilities } from './targets/capabilities.ts'
import { type PreparedTarget, secretsOf, withWaivers } from './targets/target.ts'
import { urlTarget } from './targets/url.ts'
import { redactor } from './wire/redact.ts'

export type CertifyOptions = {
  /** `local`, which boots everything, or the URL of a gateway. */
  readonly target: string
  readonly targetFile?: string | undefined
  readonly explorerUrl?: string | undefined
  readonly grep?: readonly string[] | undefined
  readonly clause?: readonly string[] | undefined
  readonly seed?: string | undefined
  readonly effort?: number | undefined
  readonly concurrency?: number | undefined
  readonly bail?: number | undefined
  readonly list?: boolean | undefined
  readonly verbose?: boolean | undefined
  readonly reportDir?: string | undefined
}

type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The world of a run, so that a test can give another. */
export type CertifyWorld = {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly cwd: string
}

/** Version of the suite: of the register and the checks, not of what is tested. */
const suiteVersion = 'conformance 0.1.0'

const prepare = async (
  options: CertifyOptions,
  world: CertifyWorld,
  note: (text: string) => void,
): Promise<PreparedTarget> => {
  if (options.target === 'local') {
    if (options.targetFile !== undefined)
      throw new CannotRun('--target-file describes a remote gateway', 'Add --target URL.')
    if (options.explorerUrl !== undefined)
      throw new CannotRun('--explorer-url is that of a remote gateway', 'Add --target URL.')
    // Loaded only here: a run against a remote gateway needs no service of ours.
    const { localTarget } = await import('./targets/local.ts')
    return localTarget({ progress: note })
  }
  const target = urlTarget({
    url: options.target,
    targetFile: options.targetFile,
    explorerUrl: options.explorerUrl,
    stackFile: join(world.cwd, '.svc/stack.json'),
    env: world.env,
  })
  return { target, close: async () => undefined }
}

/**
 * Certifies one target and says how it went: results on stdout, progress on stderr, the event log
 * and reports in a directory. Never throws; what could not run is exit code 2.
 */
export const certify = async (options: CertifyOptions, world: CertifyWorld): Promise<ExitCode> => {
  try {
    return await run(options, world)
  } catch (error) {
    if (world.signal.aborted) {
      world.stderr.write('interrupted before the first check\n')
      return exitCode.interrupted
    }
    const known = error instanceof CannotRun
    const text = known
      ? error.message
      : error instanceof Error
        ? (error.stack ?? '')
        : String(error)
    world.stderr.write(`cannot run: ${text}\n`)
    if (known && error.hint !== undefined) world.stderr.write(`${error.hint}\n`)
    return exitCode.couldNotRun
  }
}

const run = async (options: CertifyOptions, world: CertifyWorld): Promise<ExitCode> => {
  const selected = selectChecks(checks, options)
  if (options.list) {
    world.stdout.write(listReport(selected))
    return exitCode.conformant
  }
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed)
  const live = world.stderr.isTTY === true && world.env.TERM !== 'dumb'
  const progress = createProgress(world.stderr, coloursFor(world.stderr, world.env), live)
  world.stdout.write(`seed ${seed}\n`)
  const startedAt = new Date()
  if (options.target === 'local') progress.note('starting the local stack')
  const { target: prepared, close } = await prepare(options, world, progress.note)
  const target = withWaivers(prepared)
  let closed: Promise<void> | undefined
  const closeOnce = () => {
    closed ??= close()
    return closed
  }
  try {
    await expectReachable(target, fetch)
    const { found, missing } = await probeCapabilities(checks, target, fetch)
    const directory =
      options.reportDir ??
      join(world.cwd, '.svc/runs', startedAt.toISOString().replaceAll(/[:.]/g, '-'))
    const log = createEventLog(join(directory, 'events.ndjson'), redactor(secretsOf(target)))
    const emit = (event: RunEvent) => {
      log.append(event)
      progress.show(log.events.at(-1)!)
    }
    emit({
      type: 'run-started',
      version: eventLogVersion,
      at: startedAt.toISOString(),
      seed,
      effort: options.effort ?? 1,
      target: target.name,
      gatewayUrl: target.gatewayUrl,
      suite: suiteVersion,
      capabilities: found,
      missing,
      checks: selected.map(planned),
    })
    const suite = await runInThreads({
      input: {
        target,
        seed,
        effort: options.effort ?? 1,
        missing,
        begunAt: startedAt.getTime(),
      },
      workers: 1,
      checks: selected,
      concurrency: options.concurrency ?? 8,
      bail: options.bail,
      onResult: emit,
      signal: world.signal,
    })
    if (suite.errors.length > 0)
      throw new Error(`the suite itself is broken: ${suite.errors.join('; ')}`)
    progress.end()
    const preliminary = reportOf([...log.events, finished(startedAt, world.signal.aborted)])
    const { code, reason } = preliminary.summary
    emit({ ...finished(startedAt, world.signal.aborted), code, ...(reason && { reason }) })
    await log.close()
    const report = reportOf(log.events)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'junit.xml'), junitReport(report))
    writeFileSync(join(directory, 'report.json'), jsonReport(report))
    const colours = coloursFor(world.stdout, world.env)
    const reportPath = join(directory, 'report.json')
    const text = terminalReport(report, { colours, reportPath, verbose: options.verbose ?? false })
    world.stdout.write(`${text}\n`)
    return code
  } finally {
    progress.end()
    await closeOnce()
  }
}

const finished = (startedAt: Date, interrupted: boolean) => {
  const at = new Date()
  return {
    type: 'run-finished' as const,
    at: at.toISOString(),
    ms: at.getTime() - startedAt.getTime(),
    interrupted,
    code: exitCode.inconclusive as ExitCode,
  }
}
