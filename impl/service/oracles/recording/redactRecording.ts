import { refuseCredentials } from './credentials.ts'
import type { Exchange, Recording } from './exchange.ts'
import { createPlaceholders, type Placeholders } from './placeholders.ts'
import { RecordingError } from './recordingError.ts'
import { textOf } from './recordingFormat.ts'

/** Secrets of each oracle, by its name in the exchanges; '' when a single oracle was run. */
export type SecretsByOracle = ReadonlyMap<string, Readonly<Record<string, string>>>

/**
 * A recording that is safe to store. Secrets are replaced by placeholders: those of the same oracle
 * by name, those of another as `oracle/name`. Values of redacted headers are removed everywhere.
 *
 * @throws RecordingError when a secret or a possible credential would remain
 */
export function withoutSecrets(recording: Recording, secrets: SecretsByOracle): Recording {
  const { redactedHeaders, exchanges } = recording
  const redacted = redactedValues(exchanges, redactedHeaders)
  const placeholders = perOracle(secrets, redacted)
  const clean = exchanges.map((exchange) => {
    const each = placeholders(exchange.oracle)
    const hidden = mapTexts(exchange, each.hide, (bytes) => hideBytes(bytes, each))
    refuseCredentials(hidden, redactedHeaders)
    return hidden
  })
  return { ...recording, exchanges: clean }
}

/**
 * Replaces the placeholders by the given secrets.
 *
 * @throws RecordingError for a missing secret
 */
export function withSecrets(recording: Recording, secrets: SecretsByOracle): Recording {
  const placeholders = perOracle(secrets)
  const exchanges = recording.exchanges.map((exchange) => {
    const { restore } = placeholders(exchange.oracle)
    return mapTexts(exchange, restore, (bytes) => {
      const text = textOf(bytes)
      return text?.includes('${') ? encode(restore(text)) : bytes
    })
  })
  return { ...recording, exchanges }
}

/** Placeholders for each oracle. */
export function perOracle(
  secrets: SecretsByOracle,
  redacted: readonly string[] = [],
): (oracle: string | undefined) => Placeholders {
  const made = new Map<string, Placeholders>()
  return (oracle) => {
    const own = oracle ?? ''
    const known = made.get(own) ?? createPlaceholders({ secrets: namesFor(own), redacted })
    made.set(own, known)
    return known
  }

  function namesFor(own: string): [string, string][] {
    // A single oracle may be run with the recording of a policy, and a policy with that of one
    // oracle.
    const anyones = secrets.get('') ?? Object.assign({}, ...[...secrets.values()].reverse())
    const ownSecrets: Readonly<Record<string, string>> = secrets.get(own) ?? anyones
    const others = [...secrets].filter(([name]) => name !== own)
    return [
      ...Object.entries(ownSecrets),
      ...others.flatMap(([name, values]) =>
        Object.entries(values).map(([key, value]): [string, string] => [`${name}/${key}`, value]),
      ),
    ]
  }
}

function hideBytes(bytes: Uint8Array, { hide, found }: Placeholders): Uint8Array {
  const text = textOf(bytes)
  if (text !== undefined) return encode(hide(text))
  const secret = found(bytes)
  if (secret === undefined) return bytes
  throw new RecordingError(
    `the recording would contain the secret ${secret} within a body that is not UTF-8 text`,
    'This exchange cannot be recorded.',
  )
}

/** Values of redacted headers and the words in them, which a response body may repeat. */
function redactedValues(exchanges: readonly Exchange[], names: readonly string[]): string[] {
  const values = exchanges
    .flatMap(({ request, answer }) => [
      ...request.headers,
      ...(answer.kind === 'response' ? answer.response.headers : []),
    ])
    .filter(([name]) => names.includes(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s,;=]+/).filter((word) => word.length >= 8)])
  return [...new Set(values)].filter((value) => value !== '')
}

function mapTexts(
  { oracle, request, answer }: Exchange,
  text: (text: string) => string,
  bytes: (bytes: Uint8Array) => Uint8Array,
): Exchange {
  const headers = (pairs: readonly [string, string][]) =>
    pairs.map(([name, value]): [string, string] => [text(name), text(value)])
  return {
    ...(oracle === undefined ? {} : { oracle }),
    request: {
      method: request.method,
      url: text(request.url),
      headers: headers(request.headers),
      ...(request.body === undefined ? {} : { body: bytes(request.body) }),
    },
    answer:
      answer.kind === 'response'
        ? {
            kind: 'response',
            response: {
              status: answer.response.status,
              headers: headers(answer.response.headers),
              body: bytes(answer.response.body),
            },
          }
        : answer.kind === 'error'
          ? { kind: 'error', message: text(answer.message) }
          : answer,
  }
}

const encode = (text: string) => Uint8Array.from(Buffer.from(text, 'utf8'))
