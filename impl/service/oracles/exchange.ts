import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { type Dispatcher, request as send } from 'undici'
import { HostFetchError } from './hostFetchError.ts'
import type { HostRequest } from './hostRequest.ts'
import type { OracleLimits } from './limits.ts'
import { sizeOfHeaders } from './requestBounds.mjs'
import { readBody } from './responseBody.ts'

/** `http-response` of the oracle's http interface. */
export type HostResponse = {
  status: number
  /** Names in lower case. */
  headers: [string, string][]
  /** Decoded from its content-encoding. */
  body: Uint8Array
}

/** Maximum number of responses with a status below 200 before the final one. */
const maxInterim = 10
/** Headers about the encoded body, which the guest does not see. */
const ofTheWire = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/**
 * One request and its response, without following redirects.
 *
 * @param onHeaders called when the status and the headers have arrived
 * @throws HostFetchError for a response over its limits; errors of the connection
 */
export async function exchange(
  request: HostRequest,
  url: URL,
  options: {
    dispatcher: Dispatcher
    limits: Pick<OracleLimits, 'httpResponseBytes' | 'httpCallMs'>
    signal: AbortSignal
    onHeaders: () => void
  },
): Promise<HostResponse> {
  const { dispatcher, limits, signal, onHeaders } = options
  const stop = linkedSignal(signal)
  let interim = 0
  const { statusCode, headers, body } = await send(url, {
    dispatcher,
    method: request.method as 'GET',
    headers: request.headers.flat(),
    body: request.body ?? null,
    signal: stop.signal,
    headersTimeout: limits.httpCallMs,
    bodyTimeout: limits.httpCallMs,
    responseHeaders: 'raw',
    onInfo: () => {
      interim += 1
      if (interim <= maxInterim) return
      stop.abort(new HostFetchError(`${url.host} sent more than ${maxInterim} interim responses`))
    },
  })
  onHeaders()
  // A body that is dropped before it is read still needs an error listener.
  body.on('error', () => {})
  try {
    const pairs = headerPairs(headers)
    const limit = limits.httpResponseBytes
    const room = limit - sizeOfHeaders(pairs)
    const bodiless = request.method === 'HEAD' || statusCode === 204 || statusCode === 304
    const encoding = bodiless ? undefined : joined(pairs, 'content-encoding')
    const bytes = await readBody(body, encoding, { room, limit })
    if (encoding === undefined) return { status: statusCode, headers: pairs, body: bytes }
    const kept = pairs.filter(([name]) => !ofTheWire.has(name))
    return { status: statusCode, headers: kept, body: bytes }
  } finally {
    stop.release()
    body.destroy()
  }
}

function joined(headers: readonly [string, string][], wanted: string): string | undefined {
  const values = headers.flatMap(([name, value]) => (name === wanted ? [value] : []))
  return values.length === 0 ? undefined : values.join(', ')
}

function headerPairs(headers: unknown): [string, string][] {
  const raw = headers as (Buffer | string)[]
  const texts = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')))
  return Array.from({ length: Math.floor(texts.length / 2) }, (_, index) => [
    (texts[2 * index] ?? '').toLowerCase(),
    texts[2 * index + 1] ?? '',
  ])
}
