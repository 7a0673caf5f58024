import { type Command, InvalidArgumentError } from 'commander'
import type { CertifyOptions } from 'polgate-conformance/commands/certify.ts'
import { CannotRun } from 'polgate-conformance/core/conformanceError.ts'
import { collect, whole } from './command.ts'

const positive = (text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('give a number up to 100.')
  return value
}

const rate = (text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value <= 1_000_000))
    throw new InvalidArgumentError('give a number of requests a second.')
  return value
}

/** Flags that choose checks: of every verb that asks or lists some. */
export const selectionOptions = (command: Command): Command =>
  command
    .option('--grep <pattern>', 'checks whose id or title matches', collect)
    .option('--exclude <pattern>', 'and not those', collect)
    .option('--clause <section|id>', 'checks of a section or clause', collect)
    .option('--tag <tag>', 'checks with a tag, such as webhook, property or slow', collect)
    .option('--level <must|should|may>', 'checks of a level', collect)
    .option('--only-failed [log]', 'what failed, or did not report, in a run: the last by default')
    .option('--shard <i/n>', 'one of n parts; svc merge puts their logs together')

/** Flags of a run, of whatever checks. */
export const runOptions = (command: Command): Command =>
  selectionOptions(command)
    .option('--target-file <file>', 'what is known of a remote gateway')
    .option('--explorer-url <URL>', 'the explorer of a remote gateway; or SVC_EXPLORER_URL')
    .option('--read-only', 'write nothing on the target: what has to is untestable')
    .option('--max-rps <number>', 'requests a second at most', rate)
    .option('--budget <number>', 'requests at most: what comes later is untestable', whole)
    .option('--seed <number>', 'values of an earlier run, as it printed them')
    .option('--effort <factor>', 'multiplies the runs of property checks', positive, 1)
    .option('--workers <number|auto>', 'threads that ask, each with a session of its own')
    .option('--concurrency <number>', 'checks under way at a time in each of them', whole)
    .option('--bail [failures]', 'end after so many failures of required checks', whole)
    .option('--baseline <file>', 'known failures, each with an owner and a day; see svc baseline')
    .option('--timeout <time>', 'of a check: 30s, 500ms, 2m')
    .option('--request-timeout <time>', 'of a request')
    .option('--wait-ready <time>', 'wait until the target answers')
    .option('--print-config', 'print what is known of the target, without secrets; ask nothing')
    .option('--dry-run', 'say what would be asked, and what of it writes; ask nothing')
    .option('--report-dir <directory>', 'where the event log and the reports go')
    .option('--report <kinds>', 'which reports, such as junit,json; all by default', collect)
    .option('--sign-key <file>', 'the private key that signs the certificate (PEM); see svc verify')
    .option('--json', 'the report as JSON on stdout, and nothing else there')
    .option('-q, --quiet', 'no progress, and only the verdict')
    .option('-v, --verbose', 'show what open points turned out to be')

export type TargetFlag = { readonly target?: string }

/** A target is named by its place in the line or by a flag, whichever comes to mind. */
export const targetOptions = (command: Command, what: string): Command =>
  command
    .argument('[target]', 'local, a URL, or a target file')
    .option('--target <local|URL|file>', what)

export const oneTarget = (
  place: string | undefined,
  { target }: TargetFlag,
): string | undefined => {
  if (place !== undefined && target !== undefined && place !== target)
    throw new CannotRun('two targets are named', 'Leave one out.')
  return place ?? target
}

/** What commander read of `runOptions`. */
export type RunFlags = Omit<CertifyOptions, 'bail' | 'limits'> & {
  readonly bail?: number | true
  readonly readOnly?: boolean
  readonly maxRps?: number
  readonly budget?: number
}

/** The same as a run takes them. */
export const optionsOf = (flags: RunFlags): CertifyOptions => {
  const { bail, readOnly, maxRps, budget, ...rest } = flags
  return {
    ...rest,
    bail: bail === true ? 1 : bail,
    limits: {
      ...(readOnly === undefined ? {} : { readOnly }),
      ...(maxRps === undefined ? {} : { maxRps }),
      ...(budget === undefined ? {} : { budget }),
    },
  }
}

/** Below the examples of every verb that runs checks. */
export const runHelp = `
Keys of a remote gateway: SVC_KEY_READ, SVC_KEY_WRITE, SVC_KEY_RPC, SVC_KEY_NONE,
SVC_KEY_EXPIRED, SVC_KEY_STRANGER; never on the command line.

Exit codes: 0 conformant, 1 not conformant, 2 could not run, 3 inconclusive, 130 interrupted.`
