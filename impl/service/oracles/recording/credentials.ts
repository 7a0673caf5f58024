import {
  credentialsIn,
  isCredentialName,
  namedValues,
} from 'polgate-lib/encodings/credentialShapes.ts'
import { decodeNested } from 'polgate-lib/encodings/decodeNested.ts'
import { TooManyEncodings } from 'polgate-lib/encodings/redactSecrets.ts'
import type { Exchange } from './exchange.ts'
import { withoutPlaceholders } from './placeholders.ts'
import { RecordingError } from './recordingError.ts'

const credentialName =
  /^(authorization|proxy-authorization|cookie|set-cookie)$|api-?key|access-?key|token|jwt|assertion|secret|passw|credential|signature|hmac|session|(^|-)(auth|sig|sign|mac)(-|$)/i
const credentialParam =
  /key|token|jwt|assertion|secret|passw|credential|signature|hmac|session|^(sig|sign|mac)$|auth/i
/** Shorter words, and words with lower entropy, are not considered keys. */
const shortestKey = 16
const plainest = 3

/**
 * Rejects an exchange that may contain a credential: a header or URL parameter with the name of a
 * credential and a value that is not one of the known secrets.
 *
 * @param exchange with placeholders instead of known secrets
 * @throws RecordingError naming the header or parameter, never its value
 */
export function refuseCredentials(exchange: Exchange, redactedHeaders: readonly string[]): void {
  const { request, answer } = exchange
  const headers = [
    ...request.headers,
    ...(answer.kind === 'response' ? answer.response.headers : []),
  ]
  for (const [name, value] of headers) {
    if (redactedHeaders.includes(name.toLowerCase()) || !isCredential(name, value)) continue
    throw new RecordingError(
      `the recording would contain a possible credential: the header ${name.toLowerCase()}`,
      `Add its value to the secrets file, or omit it with --redact-header ${name.toLowerCase()}.`,
    )
  }
  for (const [name, value] of parametersOf(request.url)) {
    if (!credentialParam.test(name) || !looksLikeKey(value)) continue
    throw new RecordingError(
      `the recording would contain a possible credential: the parameter ${name} of a URL`,
      'Add its value to the secrets file, or send the credential in a header.',
    )
  }
  refuseShapes(exchange, redactedHeaders)
}

/**
 * Rejects values with the form of a credential, and members of a request named like one, even
 * encoded.
 */
function refuseShapes({ request, answer }: Exchange, redactedHeaders: readonly string[]): void {
  const kept = (headers: readonly [string, string][]) =>
    headers.filter(([name]) => !redactedHeaders.includes(name.toLowerCase()))
  const inHeaders = (headers: readonly [string, string][], of: string) =>
    kept(headers).map(([name, value]): [string, string] => [
      `the header ${name.toLowerCase()} of the ${of}`,
      value,
    ])
  const asText = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8')
  const body = asText(request.body)
  const places: readonly (readonly [string, string])[] = [
    ['the URL', request.url],
    ...inHeaders(request.headers, 'request'),
    ['the body of the request', body],
    ...(answer.kind === 'response'
      ? ([
          ...inHeaders(answer.response.headers, 'response'),
          ['the body of the response', asText(answer.response.body)],
        ] as const)
      : answer.kind === 'error'
        ? ([['the error', answer.message]] as const)
        : []),
  ]
  for (const [place, text] of places)
    decodeNested(withoutPlaceholders(text), (each) => {
      const named = text !== body ? [] : namedValues(each)
      const what = [
        ...credentialsIn(each),
        ...named.flatMap(([name, value]) =>
          isCredentialName(name) && looksLikeKey(value) ? [`a key named ${name}`] : [],
        ),
      ][0]
      if (what === undefined) return
      throw new RecordingError(
        `the recording would contain a possible credential: ${what} in ${place}`,
        'Add its value to the secrets file. A header can be omitted with --redact-header NAME.',
      )
    })
}

/** Whether the value of a header, without placeholders, looks like a credential. */
export const isCredential = (header: string, value: string): boolean =>
  credentialName.test(header) && looksLikeKey(value)

/** Whether a text contains a credential, by the form of a value or the name of its parameter. */
export function holdsCredential(text: string): boolean {
  const named = parametersOf(text).some(
    ([name, value]) => credentialParam.test(name) && looksLikeKey(value),
  )
  if (named) return true
  let found = false
  try {
    decodeNested(withoutPlaceholders(text), (each) => {
      found ||= credentialsIn(each).length > 0
    })
  } catch (error) {
    if (!(error instanceof TooManyEncodings)) throw error
    return true
  }
  return found
}

function parametersOf(url: string): readonly (readonly [string, string])[] {
  const query = withoutPlaceholders(url).split('#', 1)[0]?.split('?').slice(1).join('?') ?? ''
  return [...new URLSearchParams(query)]
}

/** Whether the value has a long word of high entropy, placeholders removed. */
function looksLikeKey(value: string): boolean {
  return withoutPlaceholders(value)
    .split(/[\s,;=:"\0]+/)
    .some((word) => word.length >= shortestKey && bitsPerLetter(word) >= plainest)
}

function bitsPerLetter(word: string): number {
  const counts = new Map<string, number>()
  for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => {
    const share = count / word.length
    return bits - share * Math.log2(share)
  }, 0)
}
