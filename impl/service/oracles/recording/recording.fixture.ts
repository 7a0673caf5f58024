import type { HostFetch, HostRequest } from '../hostFetch.ts'
import { defaultOracleLimits } from '../limits.ts'
import type { Exchange, ExchangeAnswer, Recording } from './exchange.ts'
import type { RecordingError } from './recordingError.ts'
import { formatRecording, parseRecording } from './recordingFormat.ts'
import { type SecretsByOracle, withoutSecrets, withSecrets } from './redactRecording.ts'
import { createReplayer } from './replayer.ts'

export const limits = defaultOracleLimits
export const never = new AbortController().signal
export const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
export const secrets: SecretsByOracle = new Map([
  ['', { API_KEY: 'a-key-of-some-length', REGION: 'eu' }],
])

export const get = (url: string, headers: [string, string][] = []): HostRequest => ({
  url,
  method: 'GET',
  headers,
})
export const ok = (body: string): ExchangeAnswer => ({
  kind: 'response',
  response: { status: 200, headers: [['content-type', 'application/json']], body: bytes(body) },
})
export const recordingOf = (
  exchanges: readonly Exchange[],
  redactedHeaders: string[] = [],
): Recording => ({
  now: 1_700_000_000_000,
  seed: 'ab'.repeat(32),
  redactedHeaders,
  exchanges,
})

/** Formats and parses the recording. */
export const throughFile = (recording: Recording, known = secrets) =>
  withSecrets(parseRecording(formatRecording(withoutSecrets(recording, known)), 'file'), known)

export const replayOf = (
  recording: Recording,
  more: { onUnknown?: (error: RecordingError) => void } = {},
) =>
  createReplayer({
    recording,
    name: 'exchanges.yaml',
    clean: (_, text) => text,
    onUnknown: more.onUnknown ?? (() => {}),
  })

export const outcomeOf = (fetch: HostFetch, request: HostRequest) =>
  fetch(request, never).then(
    (response) => ({ kind: 'response' as const, response }),
    (error: Error) => ({ kind: 'error' as const, message: error.message }),
  )
