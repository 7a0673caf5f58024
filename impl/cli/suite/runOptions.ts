import { type Command, InvalidArgumentError } from 'commander'
import type { CertifyOptions } from 'polgate-conformance/commands/certify.ts'
import { CannotRun } from 'polgate-conformance/core/conformanceError.ts'
import { collect, repeated, whole } from './command.ts'

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 100))
    throw new InvalidArgumentError('must be a number above 0 and up to 100.')
  return value
}

function rate(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 1_000_000))
    throw new InvalidArgumentError('must be a number of requests per second.')
  return value
}

/** Options that select checks. */
export const selectionOptions = (command: Command): Command =>
  command
    .option('--grep <pattern>', 'checks whose id or title matches', collect)
    .option('--exclude <pattern>', 'but not checks that match this', collect)
    .option('--clause <section|id>', 'checks of a section or clause', collect)
    .option('--tag <tag>', 'checks with a tag, such as webhook, property or slow', collect)
    .option('--exclude-tag <tag>', 'but not checks with this tag', collect)
    .option('--level <must|should|may>', 'checks of a level', collect)
    .option(
      '--only-failed [log]',
      'checks that failed, did not report or got no answer; since the last run of all checks by default',
    )
    .option(
      '--checks <pattern>',
      "the gateway's own checks too: files, folders or quoted patterns",
      repeated,
    )
    .option('--shard <i/n>', 'part i of n; combine the logs with polgate merge')

/** Options of a run. */
export const runOptions = (command: Command): Command =>
  selectionOptions(command)
    .option('--target-file <file>', 'target file of a remote gateway')
    .option('--explorer-url <URL>', 'explorer of a remote gateway; or SVC_EXPLORER_URL')
    .option('--require <profiles>', 'test these profiles too, such as webhooks,explorer', collect)
    .option('--read-only', 'write nothing on the target; checks that write are left out')
    .option('--max-rps <number>', 'maximum requests per second', rate)
    .option('--budget <number>', 'maximum requests; checks beyond it are left out', whole)
    .option('--seed <number>', 'repeat the values of an earlier run, which printed its seed')
    .option('--effort <factor>', 'multiply the runs of property checks', positive, 1)
    .option('--full-matrix', 'try every rule on every parameter, not a pairwise sample')
    .option('--workers <number|auto>', 'number of threads, each with a separate session')
    .option('--concurrency <number>', 'concurrent checks per thread', whole)
    .option(
      '--bail [failures]',
      'stop all threads after this many failures of required checks; 1 by default',
      whole,
    )
    .option(
      '--baseline <file>',
      'known failures, each with an owner and an expiry date; see polgate baseline',
    )
    .option('--timeout <time>', 'timeout of a check: 30s, 500ms, 2m')
    .option('--request-timeout <time>', 'timeout of a request')
    .option('--wait-ready <time>', 'wait this long for the target to respond')
    .option('--print-config', 'print the target configuration without secrets; send no requests')
    .option('--dry-run', 'list the checks and which of them write; send no requests')
    .option('--report-dir <directory>', 'directory for the event log and the reports')
    .option('--report <kinds>', 'reports to write, such as junit,json; all by default', collect)
    .option(
      '--reporter <module>',
      'module that receives every event and the result; repeatable',
      repeated,
    )
    .option(
      '--compare-with <log>',
      'exit 1 only for new failures and lost proofs since that run: its log or directory',
    )
    .option(
      '--without-reference <fail|verdict>',
      'if that run is missing or of another suite or target: fail, or let the verdict decide',
    )
    .option('--sign-key <file>', 'private key that signs the certificate (PEM); see polgate verify')
    .option('--json', 'print only the report, as JSON, on stdout')
    .option('-q, --quiet', 'print only the verdict')
    .option('-v, --verbose', 'print what was observed at open points')

export type TargetFlag = { readonly target?: string | undefined }

/** The target is an argument or an option. */
export const targetOptions = (command: Command, what: string): Command =>
  command
    .argument('[target]', 'local, a URL, or a target file')
    .option('--target <local|URL|file>', what)

export function oneTarget(place: string | undefined, { target }: TargetFlag): string | undefined {
  if (place !== undefined && target !== undefined && place !== target)
    throw new CannotRun('two different targets are given', 'Omit the argument or --target.')
  return place ?? target
}

/** Values of `runOptions` as parsed by commander. */
export type RunFlags = Omit<CertifyOptions, 'bail' | 'limits'> & {
  readonly bail?: number | true
  readonly readOnly?: boolean
  readonly maxRps?: number
  readonly budget?: number
}

/** Converts the flags to options of a run. */
export function optionsOf(flags: RunFlags): CertifyOptions {
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

/** Help text of all commands that run checks, below their examples. */
export const runHelp = `
Keys of a remote gateway: SVC_KEY_READ, SVC_KEY_WRITE, SVC_KEY_RPC, SVC_KEY_NONE,
SVC_KEY_EXPIRED, SVC_KEY_STRANGER; never on the command line.

Exit codes: 0 conformant, or the selected checks passed, 1 not conformant, or selected checks
failed, 2 could not run, 3 inconclusive, 130 interrupted. A run is inconclusive too if the gateway stopped answering and no check failed for another reason.`
