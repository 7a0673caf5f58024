import { AppError } from 'polgate-lib/errors/appError.ts'
import type { ShownExchange, ShownText } from 'polgate-protocol/control/taskTrace.ts'
import type { HostRequest, HostResponse } from 'polgate-service/oracles/hostFetch.ts'
import { refuseCredentials } from 'polgate-service/oracles/recording/credentials.ts'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import { createPlaceholders } from 'polgate-service/oracles/recording/placeholders.ts'

/** What is shown of a body, in characters. */
export const longestBody = 64 * 1024
/** Longer ones are not searched for secrets, and not shown. */
const mostInspected = 256 * 1024
const notShown = '(not shown)'

/** Replaces the secrets of a run by placeholders. */
export type HideSecrets = {
  /** @throws RecordingError when a secret would remain */
  hide(text: string): string
}

/**
 * @param secrets plaintext of the run, which is wiped after it; undefined without any
 */
export function secretsHidden(secrets: Uint8Array | undefined): HideSecrets {
  if (secrets === undefined) return { hide: (text) => text }
  return createPlaceholders({ secrets: named(new TextDecoder().decode(secrets)) })
}

function named(plaintext: string): readonly (readonly [string, string])[] {
  try {
    return strings('', JSON.parse(plaintext))
  } catch {
    return [['secrets', plaintext]]
  }
}

function strings(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value === 'number') return [[name, String(value)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    strings(name === '' ? key : `${name}.${key}`, each),
  )
}

/** A request without secrets, and without what looks like a credential. */
export const shownRequest = (
  { method, url, headers, body }: HostRequest,
  secrets: HideSecrets,
): Omit<ShownExchange, 'response'> => ({
  method: method.slice(0, 20),
  url: shownUrl(url, secrets),
  requestHeaders: shownHeaders(headers, secrets),
  requestBody: shownBody(body, secrets, (bytes) => ({ ...empty, body: bytes })),
})

export const shownResponse = (
  { status, headers, body }: HostResponse,
  secrets: HideSecrets,
): NonNullable<ShownExchange['response']> => ({
  status,
  headers: shownHeaders(headers, secrets),
  body: shownBody(body, secrets, undefined),
})

const empty: HostRequest = { method: 'GET', url: '', headers: [] }

/** Why a part must not be shown; undefined if it may. */
function refusal(request: HostRequest, answer: Exchange['answer'] = { kind: 'none' }) {
  try {
    refuseCredentials({ request, answer }, [])
    return undefined
  } catch (error) {
    // Also a text with too many encodings to be searched.
    if (error instanceof AppError) return 'it may contain a credential'
    throw error
  }
}

/** Undefined where a secret would remain. */
function hidden(text: string, secrets: HideSecrets): string | undefined {
  try {
    return secrets.hide(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function shownUrl(url: string, secrets: HideSecrets): string {
  const clean = hidden(url.slice(0, mostInspected), secrets)
  if (clean !== undefined && refusal({ ...empty, url: clean }) === undefined) return clean
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return hidden(origin, secrets) === origin && origin !== '' ? `${origin}/ ${notShown}` : notShown
}

function shownHeaders(
  headers: readonly (readonly [string, string])[],
  secrets: HideSecrets,
): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => {
    const cleanName = hidden(name, secrets)
    if (cleanName === undefined) return [notShown, notShown] as const
    const clean = hidden(value, secrets)
    const isShown =
      clean !== undefined && refusal({ ...empty, headers: [[name, clean]] }) === undefined
    return [cleanName, isShown ? clean : notShown] as const
  })
}

/** A body is cut after its secrets are hidden: a cut secret would not be found. */
function shownBody(
  body: Uint8Array | undefined,
  secrets: HideSecrets,
  asRequest: ((bytes: Uint8Array) => HostRequest) | undefined,
): ShownText {
  const size = body?.length ?? 0
  const without = (note: string): ShownText => ({ text: null, size, note })
  if (body === undefined || size === 0) return { text: '', size }
  if (size > mostInspected) return without(`longer than ${mostInspected / 1024} KiB`)
  const text = textOf(body)
  if (text === undefined) return without('not text')
  const clean = hidden(text, secrets)
  if (clean === undefined) return without('it contains a secret')
  const bytes = Buffer.from(clean)
  const refused =
    asRequest === undefined
      ? refusal(empty, { kind: 'response', response: { status: 200, headers: [], body: bytes } })
      : refusal(asRequest(bytes))
  if (refused !== undefined) return without(refused)
  if (clean.length <= longestBody) return { text: clean, size }
  return { text: clean.slice(0, longestBody), size, note: `the first ${longestBody / 1024} KiB` }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
