import {
  type OpenEnvelopeOptions,
  openEnvelope,
  type SealEnvelopeOptions,
  sealEnvelope,
} from './envelope.ts'
import { EnvelopeError } from './envelopeError.ts'

export type Secrets = Readonly<Record<string, string>>

/** Bound of decisions, section 9. */
export const maxSecretsBytes = 64 * 1024

/**
 * Parses the plaintext of secrets: a JSON object of named string values (section 4.5).
 *
 * @throws EnvelopeError `plaintext`, without any content
 */
export function parseSecrets(plaintext: Uint8Array): Secrets {
  const refuse = (what: string): never => {
    throw new EnvelopeError('plaintext', what)
  }
  if (plaintext.length > maxSecretsBytes)
    return refuse(`secrets are larger than ${maxSecretsBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
  } catch {
    return refuse('secrets are not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('secrets are not a JSON object')
  return Object.values(value).every((secret) => typeof secret === 'string')
    ? (value as Secrets)
    : refuse('secrets are not all strings')
}

export type SealSecretsOptions = Omit<SealEnvelopeOptions, 'plaintext'> & {
  readonly secrets: Secrets
}

/** Encrypts secrets like a client before an upload (section 5.3). */
export const sealSecrets = ({ secrets, ...options }: SealSecretsOptions): Promise<string> =>
  sealEnvelope({ ...options, plaintext: Buffer.from(JSON.stringify(secrets), 'utf8') })

/**
 * Decrypted secrets: `bytes` is the unmodified plaintext, which is passed to an oracle (section 1).
 */
export type OpenedSecrets = { readonly bytes: Uint8Array; readonly secrets: Secrets }

/**
 * Decrypts secrets in memory, for one client on one chain. They must not be stored, logged or
 * included in an error.
 *
 * @throws EnvelopeError `format`, `open`, `plaintext`
 */
export async function openSecrets(options: OpenEnvelopeOptions): Promise<OpenedSecrets> {
  const bytes = await openEnvelope(options)
  return { bytes, secrets: parseSecrets(bytes) }
}
