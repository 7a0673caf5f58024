import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { EgressError } from '../net/guardedLookup.ts'
import { type Connections, connectMs, type Egress, hostAndPort } from './egress.ts'
import { exchange, type HostResponse } from './exchange.ts'
import { HostFetchError } from './hostFetchError.ts'
import { checkRequest, type HostRequest } from './hostRequest.ts'
import { formatBytes, formatMs, type OracleLimits } from './limits.ts'

export type { HostResponse } from './exchange.ts'
export type { HostRequest } from './hostRequest.ts'

/** The fetch of one run: counts its calls, and aborts with the run's signal. */
export type HostFetch = (request: HostRequest, signal: AbortSignal) => Promise<HostResponse>

type FetchLimits = Pick<
  OracleLimits,
  | 'httpCalls'
  | 'httpUrlBytes'
  | 'httpRequestBytes'
  | 'httpRequestHeaders'
  | 'httpResponseHeaderBytes'
  | 'httpResponseBytes'
  | 'httpCallMs'
  | 'httpRedirects'
>

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * A fetch for one run, within the limits of decision O4 and the egress rules of decision O5. Its
 * connections belong to the run and end with its signal. It rejects with HostFetchError only; no
 * message contains a path, a query, a header or a body.
 */
export function createHostFetch(options: { egress: Egress; limits: FetchLimits }): HostFetch {
  const { egress, limits } = options
  let calls = 0
  let own: Connections | undefined
  return async (request, signal) => {
    calls += 1
    if (calls > limits.httpCalls) {
      throw new HostFetchError(`limit of ${limits.httpCalls} HTTP calls in one run exceeded`, {
        final: true,
      })
    }
    checkRequest(request, limits)
    const url = parseUrl(request.url)
    const connections = own ?? connectionsOf(signal)
    const limit = linkedSignal(signal)
    limit.abortAfter(limits.httpCallMs)
    const call = { connections, signal: limit.signal, answered: false }
    try {
      return await follow({ ...request, method: request.method.toUpperCase() }, url, call)
    } catch (error) {
      if (error instanceof HostFetchError) throw error
      if (signal.aborted) throw new HostFetchError('the run has ended')
      throw new HostFetchError(limit.signal.aborted ? lateText(url, call) : failureText(url, error))
    } finally {
      limit.release()
    }
  }

  function connectionsOf(signal: AbortSignal): Connections {
    const connections = egress.connections()
    own = connections
    const end = () => void connections.close()
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    return connections
  }

  async function follow(first: HostRequest, start: URL, call: Call): Promise<HostResponse> {
    let request = first
    let url = start
    for (let hop = 0; ; hop += 1) {
      call.answered = false
      const answer = await exchange(request, url, {
        dispatcher: call.connections.dispatcherFor(url),
        limits,
        signal: call.signal,
        onHeaders: () => {
          call.answered = true
        },
      })
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

  function lateText(url: URL, { answered }: Call): string {
    const most = formatMs(limits.httpCallMs)
    return answered
      ? `the HTTP call to ${url.host} took longer than ${most}: the response was not complete`
      : `the HTTP call to ${url.host} took longer than ${most}: there was no response`
  }

  function failureText(url: URL, error: unknown): string {
    const all = causes(error)
    const refused = all.find(
      (each) => each instanceof EgressError || each instanceof HostFetchError,
    )
    if (refused) return refused.message
    const code = all
      .map((each) => (each as { code?: unknown }).code)
      .find((each) => typeof each === 'string')
    if (code === 'UND_ERR_HEADERS_OVERFLOW') {
      const most = formatBytes(limits.httpResponseHeaderBytes)
      return `the headers of the response are larger than ${most}`
    }
    if (code === 'UND_ERR_CONNECT_TIMEOUT') {
      return `${url.host} could not be connected to within ${formatMs(connectMs)}`
    }
    const invalid = all.some(({ name }) => name === 'HTTPParserError')
    if (invalid || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      return `the response of ${url.host} is not valid HTTP`
    }
    return `the HTTP call to ${url.host} failed${code === undefined ? '' : `: ${code}`}`
  }
}

type Call = {
  readonly connections: Connections
  readonly signal: AbortSignal
  /** Whether the headers of the current response have arrived. */
  answered: boolean
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base)
  } catch {
    throw new HostFetchError('the URL is not valid')
  }
}

/** As in browsers: 303 always, and 301 and 302 after a POST, continue with a GET without body. */
function redirected(request: HostRequest, status: number): HostRequest {
  const keeps = status === 307 || status === 308 || ['GET', 'HEAD'].includes(request.method)
  if (keeps) return request
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name))
  return { url: request.url, method: 'GET', headers }
}

function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < 10; each = each.cause) {
    chain.push(each)
    if (each instanceof AggregateError) chain.push(...each.errors.filter((e) => e instanceof Error))
  }
  return chain
}
