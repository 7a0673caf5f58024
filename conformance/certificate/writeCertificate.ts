import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { SuiteCheck } from '../core/check.ts'
import type { LogLine } from '../core/logLine.ts'
import type { Report } from '../reports/report.ts'
import { signEnvelope } from './dsse.ts'
import { loadPrivateKey, makeKeyPair } from './keys.ts'
import { type SuiteRecord, statementOf } from './statement.ts'
import { tlsIdentity } from './subject.ts'

/**
 * The key of this machine, created for its first certificate: worthless to anyone who does not know
 * it.
 */
export const ownKeyFile = (cwd: string): string => join(cwd, '.svc/certify-key.pem')

/** The private key file: the given one, or that of this machine, created if missing. */
export function signingKey(file: string | undefined, cwd: string): KeyObject {
  if (file !== undefined) return loadPrivateKey(file)
  const own = ownKeyFile(cwd)
  if (!existsSync(own)) makeKeyPair(own)
  return loadPrivateKey(own)
}

export type WriteCertificateOptions = {
  readonly directory: string
  readonly key: KeyObject
  /** All checks of the suite. */
  readonly checks: readonly SuiteCheck[]
  /** The lines of the event log, as in its file. */
  readonly lines: readonly LogLine[]
  readonly suiteRecord?: SuiteRecord | undefined
  readonly now?: (() => Date) | undefined
}

/**
 * Signs the result of a run and writes `certificate.json` (DSSE) and `certificate.pub`, the
 * verification key. Reads the TLS key of an https target. Resolves with the certificate's path.
 */
export async function writeCertificate(
  report: Report,
  options: WriteCertificateOptions,
): Promise<string> {
  const { directory, key, checks, lines, suiteRecord, now = () => new Date() } = options
  const tlsSpki = await tlsIdentity(report.started.gatewayUrl)
  const statement = statementOf(report, { checks, lines, tlsSpki, suiteRecord, issuedAt: now() })
  const envelope = signEnvelope(Buffer.from(JSON.stringify(statement)), key)
  const path = join(directory, 'certificate.json')
  mkdirSync(directory, { recursive: true })
  replaceFileSync(path, `${JSON.stringify(envelope, null, 2)}\n`)
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' })
  replaceFileSync(join(directory, 'certificate.pub'), publicKey)
  return path
}
