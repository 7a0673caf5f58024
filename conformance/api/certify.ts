import { resolve } from 'node:path'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { type CertifyResult, resultOf, withReporterErrors } from '../commands/certifyResult.ts'
import { type GateOptions, openGate, type WithoutReference } from '../commands/gate.ts'
import { claimedBy, planRun } from '../commands/planRun.ts'
import { openReporters, type Reporter } from '../commands/reporter.ts'
import { writeRun } from '../commands/reportRun.ts'
import { settingsOf } from '../commands/runSettings.ts'
import { runSuite } from '../commands/runSuite.ts'
import type { RunEvent } from '../core/events.ts'
import type { Selection } from '../core/select.ts'
import type { Limits } from '../core/target.ts'
import type { Profile } from '../register/profiles.ts'
import type { LoadLocalServices } from '../targets/localServices.ts'
import { targetFileOf } from '../targets/targetFile.ts'
import type { TargetFile } from '../targets/targetSchema.ts'

/** The run was aborted before its first check: there is no result. */
export class RunAborted extends AppError {}

export type CertifyOptions = Omit<Selection, 'only'> & {
  /**
   * The gateway: its URL, the path of a target file, or a description in the form of a target file, in
   * which secrets are plain values.
   */
  readonly target: string | TargetFile
  /** Files, folders or glob patterns of the gateway's own checks, run in addition. */
  readonly checks?: string | readonly string[]
  /** Called with each event of the log as it is written, without secrets. */
  readonly onEvent?: (event: RunEvent) => void | Promise<void>
  /** Objects, or paths of modules that export one. */
  readonly reporters?: readonly (Reporter | string)[]
  /** Stops the run: it resolves with the verdict `interrupted`, or rejects before the first check. */
  readonly signal?: AbortSignal
  /** Where the log and the reports are written; without it nothing is. */
  readonly reportDir?: string
  /** Kinds of reports, such as `junit` and `sarif`; all by default. */
  readonly report?: readonly string[]
  /** Seed of an earlier run, which it printed: `0x5eed42`. */
  readonly seed?: string
  readonly shard?: string
  readonly effort?: number
  readonly fullMatrix?: boolean
  /** Threads, and checks in progress in each of them. */
  readonly workers?: number | 'auto'
  readonly concurrency?: number
  /** Stops the run after this number of failures of required checks. */
  readonly bail?: number
  /** Path of a file of known failures. */
  readonly baseline?: string
  /** Milliseconds: for a check, for a request, and for the gateway to respond at all. */
  readonly checkMs?: number
  readonly requestMs?: number
  readonly waitReadyMs?: number
  readonly limits?: Limits
  /** Profiles to test besides those that the target claims. */
  readonly require?: readonly Profile[]
  readonly explorerUrl?: string
  /** An earlier run: its log or directory. The exit code is then that of the comparison. */
  readonly compareWith?: string
  readonly withoutReference?: WithoutReference
  /** Private key (PEM) that signs the certificate. */
  readonly signKey?: string
  /** What is being done before the first check, for a person. */
  readonly onNote?: (text: string) => void
  /** Where keys (`SVC_KEY_READ`) and variables of target files are read; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What relative paths are relative to; the working directory by default. */
  readonly cwd?: string
  /** The local stack, for a target that a command or an image starts; given by the package that has one. */
  readonly local?: LoadLocalServices
}

const duration = (ms: number | undefined) => (ms === undefined ? undefined : `${ms}ms`)

function placeIn(target: string | TargetFile) {
  if (typeof target === 'string') return { target }
  const placeOf = (pointer: string) => `the member ${pointer || '/'} of the target`
  // A copy: validation converts texts to numbers.
  return { description: targetFileOf(structuredClone(target), placeOf) }
}

const listOf = (value: string | readonly string[] | undefined) =>
  typeof value === 'string' ? [value] : value

/**
 * Runs the suite against a gateway, as `polgate certify` does, and resolves with the result: a gateway that
 * is not conformant is a result too. Nothing is printed, `process.exit` is not called, and all that was
 * started has ended when it settles.
 *
 * @throws CannotRun for a run that cannot start: an invalid option or file, a gateway that does not answer
 * @throws RunAborted where `signal` was aborted before the first check
 */
export async function certify(options: CertifyOptions): Promise<CertifyResult> {
  const { signal = new AbortController().signal } = options
  try {
    return await run(options, signal)
  } catch (error) {
    if (signal.aborted)
      throw new RunAborted('the run was aborted before its first check', { cause: error })
    throw error
  }
}

async function run(options: CertifyOptions, signal: AbortSignal): Promise<CertifyResult> {
  const { env = process.env, cwd = process.cwd(), onNote: note = () => undefined, local } = options
  signal.throwIfAborted()
  const place = placeIn(options.target)
  const claimed = claimedBy({ ...place, require: options.require }, { cwd, env })
  const planned = await planRun({ ...options, claimed, checks: listOf(options.checks) }, cwd)
  try {
    const settings = settingsOf(
      {
        ...options,
        workers: options.workers === undefined ? undefined : String(options.workers),
        timeout: duration(options.checkMs),
        requestTimeout: duration(options.requestMs),
        waitReady: duration(options.waitReadyMs),
      },
      planned.all.map(({ id }) => id),
    )
    const gate = openGate(options as GateOptions, cwd, note)
    const { onEvent } = options
    const reporters = await openReporters(
      [
        ...(onEvent === undefined ? [] : [{ name: 'onEvent', onEvent }]),
        ...(options.reporters ?? []),
      ],
      cwd,
    )
    const { explorerUrl, limits, bail, signKey } = options
    const reportDir = options.reportDir === undefined ? undefined : resolve(cwd, options.reportDir)
    const done = await runSuite(
      { ...place, explorerUrl, limits, bail, planned, settings },
      {
        cwd,
        env,
        signal,
        local,
        note,
        directoryOf: () => reportDir,
        onTarget: gate?.onTarget,
        onEvent: reporters.event,
      },
    )
    const judged = gate?.judge(done)
    const { kinds } = settings
    const written =
      reportDir === undefined
        ? {}
        : await writeRun(done.report, done.lines, {
            directory: reportDir,
            kinds,
            signKey,
            gate: judged,
            cwd,
            note,
          })
    const result = resultOf(done, { reports: written, gate: judged })
    return withReporterErrors(result, await reporters.end(result))
  } finally {
    planned.own.close()
  }
}
