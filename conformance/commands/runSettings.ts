import { availableParallelism } from 'node:os'
import { readBaseline } from '../baseline/baseline.ts'
import { loadPrivateKey } from '../certificate/keys.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { reportKinds } from '../reports/reportFiles.ts'

const maxThreads = 64

/**
 * Number of threads. One by default: a gateway on this machine needs the other processors. `auto`
 * leaves one processor for everything else.
 */
function threadsFor(
  asked: string | undefined,
  processors: number = availableParallelism(),
): number {
  if (asked === undefined) return 1
  if (asked === 'auto') return Math.max(1, Math.min(maxThreads, processors - 1))
  const count = /^[0-9]{1,3}$/.test(asked) ? Number(asked) : 0
  if (count < 1 || count > maxThreads)
    throw new CannotRun(
      `--workers '${asked}' is not a number of threads`,
      `Use 1 to ${maxThreads}, or auto.`,
    )
  return count
}

const usualConcurrency = 16

const durationUnits = { ms: 1, s: 1_000, m: 60_000 } as const

const longestDurationMs = 24 * 3_600_000

/** Parses a duration flag: `30s`, `500ms`, `2m`; seconds without a unit. */
function parseDuration(flag: string, text: string): number {
  const [, number, unit = 's'] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m)?$/.exec(text) ?? []
  const ms =
    number === undefined ? 0 : Number(number) * durationUnits[unit as keyof typeof durationUnits]
  if (ms < 1 || ms > longestDurationMs)
    throw new CannotRun(`--${flag} '${text}' is not a duration`, 'Use 30s, 500ms or 2m.')
  return ms
}

/** Flags of a run that have to be parsed. */
export type SettingFlags = {
  /** Threads, or `auto`. */
  readonly workers?: string | undefined
  /** Checks in progress at a time, in each thread. */
  readonly concurrency?: number | undefined
  /** For a check, for a request, and for the start of the target: `30s`, `500ms`. */
  readonly timeout?: string | undefined
  readonly requestTimeout?: string | undefined
  readonly waitReady?: string | undefined
  /** Kinds of reports; all of them by default. */
  readonly report?: readonly string[] | undefined
  /** File of the private key that signs the certificate; by default that of this machine. */
  readonly signKey?: string | undefined
  readonly effort?: number | undefined
  readonly fullMatrix?: boolean | undefined
  /** File of known failures. */
  readonly baseline?: string | undefined
}

/**
 * Validates all flags before anything is started.
 * @param ids of the checks that a baseline may name
 */
export function settingsOf(options: SettingFlags, ids: readonly string[]) {
  const ms = (flag: 'timeout' | 'requestTimeout' | 'waitReady', name: string) =>
    options[flag] === undefined ? undefined : parseDuration(name, options[flag])
  return {
    workers: threadsFor(options.workers),
    concurrency: options.concurrency ?? usualConcurrency,
    checkMs: ms('timeout', 'timeout'),
    requestMs: ms('requestTimeout', 'request-timeout'),
    readyMs: ms('waitReady', 'wait-ready') ?? 0,
    kinds: reportKinds(options.report),
    key: options.signKey === undefined ? undefined : loadPrivateKey(options.signKey),
    effort: options.effort ?? 1,
    fullMatrix: options.fullMatrix ?? false,
    baseline: options.baseline === undefined ? undefined : readBaseline(options.baseline, ids),
  }
}

export type RunSettingValues = ReturnType<typeof settingsOf>
