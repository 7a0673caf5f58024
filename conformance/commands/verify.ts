import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counted } from 'polgate-lib/text/counted.ts'
import { type ChallengeOptions, challenge, type Rerun } from '../certificate/challenge.ts'
import { loadPublicKey, makeKeyPair } from '../certificate/keys.ts'
import { tlsIdentity } from '../certificate/subject.ts'
import { type Step, type Verified, verifyCertificate } from '../certificate/verifyCertificate.ts'
import { ownKeyFile } from '../certificate/writeCertificate.ts'
import { describedChecks as checks } from '../checks/described.ts'
import { suiteCheck } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { printable } from '../core/printable.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { clauses } from '../register/register.ts'
import { type Colours, coloursFor } from '../reports/colours.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { rerunOn } from './rerun.ts'
import type { CommandIo } from './world.ts'

export type VerifyOptions = {
  /** The certificate, or the directory of reports that contains it. */
  readonly certificate?: string | undefined
  /** The event log it certifies; `events.ndjson` beside it by default. */
  readonly events?: string | undefined
  /** The trusted public key; that of this machine by default. */
  readonly key?: string | undefined
  readonly newKey?: string | undefined
  readonly json?: boolean | undefined
  /** Percentage of the proven checks to run again on the live target. */
  readonly challenge?: number | undefined
  readonly targetFile?: string | undefined
  /** How checks are rerun; by default a run of this suite. */
  readonly rerun?: Rerun | undefined
}

const longestCertificate = 64 * 1024 * 1024

function read(file: string): string {
  try {
    if (statSync(file).size > longestCertificate) throw new Error('it is too large')
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CannotRun(
      `cannot read the certificate ${file}: ${(cause as Error).message}`,
      'Give certificate.json, or the directory of reports that contains it.',
      cause,
    )
  }
}

function certificateFile({ certificate }: VerifyOptions): string {
  if (certificate === undefined)
    throw new CannotRun('no certificate given', 'polgate verify out --key certify-key.pem.pub')
  const isDirectory = existsSync(certificate) && statSync(certificate).isDirectory()
  return isDirectory ? join(certificate, 'certificate.json') : certificate
}

function keyFile({ key }: VerifyOptions, cwd: string): string {
  if (key !== undefined) return key
  const own = `${ownKeyFile(cwd)}.pub`
  if (existsSync(own)) return own
  throw new CannotRun(
    'no key given to verify with',
    'Give the public key of the signer, obtained from the signer: --key FILE.',
  )
}

async function liveKey(verified: Verified, url: string): Promise<readonly Step[]> {
  const [gateway] = verified.statement?.subject ?? []
  if (gateway?.annotations.digestOf !== 'tls-spki') return []
  const ok = (await tlsIdentity(url)) === gateway.digest.sha256
  const says = ok ? 'the live target has the certified TLS key' : 'it has another TLS key'
  return [{ name: 'live key', ok, says }]
}

async function challenged(
  verified: Verified,
  options: VerifyOptions,
  world: CommandIo,
): Promise<readonly Step[]> {
  const { report } = verified
  if (options.challenge === undefined || report === undefined || !verified.authentic) return []
  const url = report.started.gatewayUrl
  const passed = report.results.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id)
  const how: ChallengeOptions = {
    percent: options.challenge,
    nonce: randomBytes(8).toString('hex'),
    rerun: options.rerun ?? rerunOn({ target: url, targetFile: options.targetFile }, world),
  }
  return [...(await liveKey(verified, url)), await challenge(passed, how)]
}

/** Whether all checks of the claimed profiles ran: a part of them proves no profile. */
function whole({ statement }: Verified): readonly Step[] {
  const rest = statement?.predicate['x-scope'].notPlanned.length ?? 0
  if (rest === 0) return []
  const says = `${counted(rest, 'check')} of the claimed profiles ${rest === 1 ? 'was' : 'were'} not planned: a part of them proves no profile`
  return [{ name: 'scope', ok: false, says }]
}

function verdictOf({ authentic, statement }: Verified, steps: readonly Step[]): string {
  if (!authentic) return 'REFUSED: the certificate is invalid'
  const result = statement?.predicate.result
  if (result === 'FAILED') return 'AUTHENTIC, but it does not certify the target'
  return steps.every(({ ok }) => ok)
    ? `VERIFIED: ${result}, ${printable(statement!.predicate['x-scope'].verdict)}`
    : 'NOT ENOUGH: authentic, but see the failed steps'
}

/** What is certified, and what only the signer vouches for. */
function scopeLines({ statement }: Verified, c: Colours): readonly string[] {
  if (statement === undefined) return []
  const { version, killRate, falseAlarms, nullFloor, flakeRate } = statement.predicate['x-suite']
  const told = [
    ...(killRate === undefined ? [] : [`kill rate ${killRate}`]),
    ...(falseAlarms === undefined ? [] : [`false alarms ${falseAlarms}`]),
    ...(nullFloor === undefined ? [] : [`null floor ${nullFloor}`]),
    ...(flakeRate === undefined ? [] : [`flakes ${flakeRate}`]),
  ]
  const { profiles, clauses, waivers } = statement.predicate['x-scope']
  return [
    ...profiles.map(({ profile, holds, clauses: all, proven, notProven }) => {
      const less = notProven.length === 0 ? '' : `; not proven: ${notProven.join(', ')}`
      const says = `${holds ? 'holds' : 'does not hold'}, ${proven} of ${all} required clauses proven${less}`
      return `   ${profile.padEnd(12)} ${printable(says)}`
    }),
    `   clauses      ${clauses.proven} of ${clauses.of} proven`,
    ...Object.entries(waivers).map(([name, reason]) =>
      c.yellow(`   waived       ${printable(`${name}: ${reason}`)}`),
    ),
    c.dim(`not recomputed, stated by the signer: ${[version, ...told].join(', ')}`),
  ]
}

/**
 * Verifies a certificate and prints each step. Exit code 0: it is valid and the target is
 * conformant; 1: it is invalid, or the target is not conformant; 2: it cannot be read.
 *
 * @throws CannotRun
 */
export async function verify(options: VerifyOptions, world: CommandIo): Promise<ExitCode> {
  const { stdout, env, cwd } = world
  if (options.newKey !== undefined) {
    const { publicFile } = makeKeyPair(options.newKey)
    stdout.write(
      `private key ${options.newKey}, for: polgate certify --sign-key ${options.newKey}\n`,
    )
    stdout.write(`public key  ${publicFile}, for: polgate verify CERT --key ${publicFile}\n`)
    return exitCode.conformant
  }
  const file = certificateFile(options)
  const key = keyFile(options, cwd)
  const verified = verifyCertificate({
    certificate: read(file),
    evidence: loadEvents(options.events ?? join(dirname(file), 'events.ndjson')),
    publicKey: loadPublicKey(key),
    now: new Date(),
    clauses,
    checks: checks.map(suiteCheck),
  })
  const steps = [
    ...verified.steps,
    ...whole(verified),
    ...(await challenged(verified, options, world)),
  ]
  const result = verified.statement?.predicate.result
  const holds = verified.authentic && result !== 'FAILED' && steps.every(({ ok }) => ok)
  const verdict = verdictOf(verified, steps)
  if (options.json)
    stdout.write(
      `${JSON.stringify({ certificate: file, key, holds, authentic: verified.authentic, result: result ?? null, scope: verified.statement?.predicate['x-scope'] ?? null, steps, verdict }, null, 2)}\n`,
    )
  else {
    const c = coloursFor(stdout, env)
    const lines = steps.map(
      ({ name, ok, says }) =>
        `${ok ? c.green('ok') : c.red('x ')} ${name.padEnd(12)} ${printable(says)}`,
    )
    const own =
      options.key === undefined ? [c.dim(`verified with this machine's own key, ${key}`)] : []
    const colour = holds ? c.green : c.red
    stdout.write(
      `${[...lines, ...own, ...scopeLines(verified, c), colour(c.bold(verdict))].join('\n')}\n`,
    )
  }
  return holds ? exitCode.conformant : exitCode.notConformant
}
