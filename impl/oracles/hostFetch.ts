import { request as send } from 'undici'
import { EgressError } from '../net/guardedLookup.ts'
import { type Egress, hostAndPort } from './egress.ts'
import { formatBytes, formatMs, type OracleLimits } from './limits.ts'

/** `http-request` of the oracle's http interface. */
export interface HostRequest {
  url: string
  method: string
  headers: [string, string][]
  body?: Uint8Array | undefined
}

/** `http-response` of the oracle's http interface. */
export interface HostResponse {
  status: number
  headers: [string, string][]
  body: Uint8Array
}

/** What `fetch` answers with its `err` case. The message is handed to the guest. */
export class HostFetchError extends Error {
  override readonly name = 'HostFetchError'
}

/** The fetch of one run: counts its calls, and ends with the run's signal. */
export type HostFetch = (request: HostRequest, signal: AbortSignal) => Promise<HostResponse>

type FetchLimits = Pick<
  OracleLimits,
  'httpCalls' | 'httpRequestBytes' | 'httpResponseBytes' | 'httpCallMs' | 'httpRedirects'
>

/** Set by the host's HTTP client; a guest that sets them is refused rather than half obeyed. */
const hostHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * A fetch for one run, under the limits of decision O4 and the egress guard of decision O5.
 * It rejects with HostFetchError only; no message carries a path, a query, a header or a body.
 */
export function createHostFetch(options: { egress: Egress; limits: FetchLimits }): HostFetch {
  const { egress, limits } = options
  let calls = 0
  return async (request, signal) => {
    calls += 1
    if (calls > limits.httpCalls) {
      throw new HostFetchError(`limit of ${limits.httpCalls} HTTP calls in one run exceeded`)
    }
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(limits.httpCallMs)])
    const url = parseUrl(request.url)
    try {
      checkRequest(request, limits)
      return await follow({ ...request, method: request.method.toUpperCase() }, url, bounded)
    } catch (error) {
      if (error instanceof HostFetchError) throw error
      if (signal.aborted) throw new HostFetchError('the run has ended')
      if (bounded.aborted) {
        throw new HostFetchError(
          `the HTTP call to ${url.host} took longer than ${formatMs(limits.httpCallMs)}`,
        )
      }
      throw new HostFetchError(failureText(url, error))
    }
  }

  async function follow(
    first: HostRequest,
    start: URL,
    signal: AbortSignal,
  ): Promise<HostResponse> {
    let request = first
    let url = start
    for (let hop = 0; ; hop += 1) {
      const answer = await exchange(request, url, signal)
      const location = answer.headers.find(([name]) => name === 'location')?.[1]
      if (!redirects.has(answer.status) || location === undefined) return answer
      const next = parseUrl(location, url)
      if (hostAndPort(next) !== hostAndPort(url) || next.protocol !== url.protocol) {
        throw new HostFetchError(
          `the redirect from ${url.host} to ${next.host} is not followed: it leaves the host`,
        )
      }
      if (hop >= limits.httpRedirects) {
        throw new HostFetchError(`${url.host} redirected more than ${limits.httpRedirects} times`)
      }
      request = redirected(request, answer.status)
      url = next
    }
  }

  async function exchange(
    request: HostRequest,
    url: URL,
    signal: AbortSignal,
  ): Promise<HostResponse> {
    const { statusCode, headers, body } = await send(url, {
      dispatcher: egress.dispatcherFor(url),
      method: request.method as 'GET',
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal,
      headersTimeout: limits.httpCallMs,
      bodyTimeout: limits.httpCallMs,
      responseHeaders: 'raw',
    })
    try {
      const pairs = headerPairs(headers)
      const bytes = await readBounded(body, sizeOfHeaders(pairs))
      return { status: statusCode, headers: pairs, body: bytes }
    } finally {
      body.destroy()
    }
  }

  async function readBounded(body: AsyncIterable<Uint8Array>, used: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = used
    for await (const chunk of body) {
      size += chunk.length
      if (size > limits.httpResponseBytes) {
        throw new HostFetchError(
          `the response is larger than ${formatBytes(limits.httpResponseBytes)}`,
        )
      }
      chunks.push(chunk)
    }
    return Uint8Array.from(Buffer.concat(chunks))
  }
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base)
  } catch {
    throw new HostFetchError('the URL is not valid')
  }
}

function checkRequest(request: HostRequest, limits: FetchLimits): void {
  if (!methods.has(request.method.toUpperCase())) {
    throw new HostFetchError(`the method is not one of ${[...methods].join(', ')}`)
  }
  const forbidden = request.headers.find(([name]) => hostHeaders.has(name.toLowerCase()))
  if (forbidden) throw new HostFetchError(`the header ${forbidden[0].toLowerCase()} is the host's`)
  const size =
    Buffer.byteLength(request.url) + sizeOfHeaders(request.headers) + (request.body?.length ?? 0)
  if (size > limits.httpRequestBytes) {
    throw new HostFetchError(`the request is larger than ${formatBytes(limits.httpRequestBytes)}`)
  }
}

function sizeOfHeaders(headers: readonly [string, string][]): number {
  return headers.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
}

/** As browsers do: 303 always, and 301 and 302 after a POST, continue with a bare GET. */
function redirected(request: HostRequest, status: number): HostRequest {
  const keeps = status === 307 || status === 308 || ['GET', 'HEAD'].includes(request.method)
  if (keeps) return request
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name))
  return { url: request.url, method: 'GET', headers }
}

function headerPairs(headers: unknown): [string, string][] {
  const raw = headers as (Buffer | string)[]
  const texts = raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')))
  return Array.from({ length: Math.floor(texts.length / 2) }, (_, index) => [
    (texts[2 * index] ?? '').toLowerCase(),
    texts[2 * index + 1] ?? '',
  ])
}

function failureText(url: URL, error: unknown): string {
  const found = causes(error).find((each) => each instanceof EgressError)
  if (found) return found.message
  const code = causes(error)
    .map((each) => (each as { code?: unknown }).code)
    .find((each) => typeof each === 'string')
  return `the HTTP call to ${url.host} failed${code === undefined ? '' : `: ${code}`}`
}

function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < 10; each = each.cause) {
    chain.push(each)
    if (each instanceof AggregateError) chain.push(...each.errors.filter((e) => e instanceof Error))
  }
  return chain
}
