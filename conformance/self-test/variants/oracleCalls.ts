import type { HostFetch, HostRequest, HostResponse } from 'polgate-service/oracles/hostFetch.ts'
import { HostFetchError } from 'polgate-service/oracles/hostFetchError.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { oracleCall, oracleRun } from '../mutants/parts.ts'
import type { Variant } from './variant.ts'

/** Other limits of oracles, and other choices in their http interface (section 1). */

const mebibyte = 1024 * 1024

/** A gateway with other limits of a run. */
const withLimits =
  (limits: Readonly<Record<string, number>>) =>
  (config: ServiceConfigInput): ServiceConfigInput => ({
    ...config,
    oracles: { ...config.oracles, limits: { ...config.oracles?.limits, ...limits } },
  })

/** As the output of a probe has it: its texts are hex. */
const toldByProbe = (text: string) => Buffer.from(text).toString('hex')

/** Ends a run whose output shows that the host refused something. */
const endedAfter = (shown: string, code: 'memory' | 'trap', text: string) =>
  oracleRun(async (run, pass) => {
    const result = await pass(run)
    if (result.output.includes(shown)) throw new OracleError(code, text)
    return result
  })

const reserved = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

/** As HTTP clients are by default, without any guard. */
async function plainFetch(request: HostRequest, signal?: AbortSignal): Promise<HostResponse> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body === undefined ? null : Buffer.from(request.body),
      redirect: 'manual',
      ...(signal && { signal }),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: [...response.headers], body }
  } catch (error) {
    throw new HostFetchError(`request failed: ${error instanceof Error ? error.name : 'error'}`)
  }
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const isRedirect = (request: HostRequest): boolean =>
  urlOf(request.url)?.pathname.endsWith('/mirror/redirect') ?? false

const isLoopback = (host: string): boolean =>
  /^(127\.|0\.0\.0\.0$|localhost\.?$|\[::1?\]$|\[::ffff:7f00:1\]$)/.test(host)

const isPrivate = (host: string): boolean => /^(10|100|169|172|192|224|255)\.|^\[f[cde]/.test(host)

/** A host that does not answer a connection. */
const unanswered = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(new HostFetchError('connection timed out'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

/** Guards no address, and follows redirects to any. */
function unguarded(inner: HostFetch): HostFetch {
  const call = async (
    request: HostRequest,
    signal: AbortSignal,
    hops: number,
  ): Promise<HostResponse> => {
    const url = urlOf(request.url)
    if (url !== undefined && isPrivate(url.hostname)) return unanswered(signal)
    if (url === undefined || !(isLoopback(url.hostname) || isRedirect(request)))
      return inner(request, signal)
    const response = await plainFetch(request, signal)
    const location = response.headers.find(([name]) => name === 'location')?.[1]
    if (location === undefined || response.status < 300 || response.status > 399) return response
    if (hops === 0) throw new HostFetchError('too many redirects')
    return call({ ...request, url: new URL(location, url).href }, signal, hops - 1)
  }
  return (request, signal) => call(request, signal, 10)
}

export const oracleCallVariants: readonly Variant[] = [
  {
    id: 'oracle.two-seconds',
    clauses: ['1-35', '4.2-16'],
    choice: 'ends a run after two seconds',
    config: withLimits({ wallClockMs: 2_000 }),
  },
  {
    id: 'oracle.twelve-seconds',
    clauses: ['1-35'],
    choice: 'ends a run after twelve seconds',
    config: withLimits({ wallClockMs: 12_000 }),
  },
  {
    id: 'oracle.memory-small',
    clauses: ['1-49', '1-24'],
    choice: 'gives a run 48 MiB of memory',
    config: withLimits({ memoryBytes: 48 * mebibyte }),
  },
  {
    id: 'oracle.memory-large',
    clauses: ['1-49'],
    choice: 'gives a run 384 MiB of memory',
    config: withLimits({ memoryBytes: 384 * mebibyte }),
  },
  {
    id: 'oracle.memory-ends-run',
    clauses: ['1-49'],
    choice: 'ends a run that asks for more memory than it may have',
    parts: () => endedAfter('"grown":false', 'memory', 'out of memory'),
  },
  {
    id: 'oracle.no-response-headers',
    clauses: ['1-43'],
    choice: 'gives an oracle no headers of a response',
    parts: () => oracleCall(async (request, pass) => ({ ...(await pass(request)), headers: [] })),
  },
  {
    id: 'oracle.get-and-post-only',
    clauses: ['1-44'],
    choice: 'refuses calls of an oracle with another method than GET and POST',
    parts: () =>
      oracleCall(async (request, pass) => {
        if (/^(get|post)$/i.test(request.method)) return pass(request)
        throw new HostFetchError('method not allowed')
      }),
  },
  {
    id: 'oracle.reserved-headers-dropped',
    clauses: ['1-44'],
    choice: 'drops reserved headers and credentials of a call, and makes it',
    parts: () =>
      oracleCall((request, pass) =>
        pass({
          ...request,
          url: request.url.replace(/^(https?:\/\/)[^/@]*@/, '$1'),
          headers: request.headers.filter(([name]) => !reserved.has(name.toLowerCase())),
        }),
      ),
  },
  {
    id: 'oracle.redirects-returned',
    clauses: ['1-45'],
    choice: 'follows no redirect: the oracle gets it as a response',
    parts: () =>
      oracleCall((request, pass) => (isRedirect(request) ? plainFetch(request) : pass(request))),
  },
  {
    id: 'oracle.redirects-refused',
    clauses: ['1-45'],
    choice: 'treats every redirect as an error of the call',
    config: withLimits({ httpRedirects: 0 }),
  },
  {
    id: 'oracle.no-guard',
    clauses: ['1-45', '1-46'],
    choice: 'lets an oracle call any address, and waits for those that do not answer',
    parts: () => ({ oracleFetch: unguarded }),
  },
  {
    id: 'oracle.one-call',
    clauses: ['1-47'],
    choice: 'lets a run make one HTTP call',
    config: withLimits({ httpCalls: 1 }),
  },
  {
    id: 'oracle.calls-end-run',
    clauses: ['1-47'],
    choice: 'lets a run make eight HTTP calls, and ends it at the next',
    config: withLimits({ httpCalls: 8 }),
    parts: () => endedAfter(toldByProbe(' HTTP calls in one run'), 'trap', 'too many HTTP calls'),
  },
  {
    id: 'oracle.responses-small',
    clauses: ['1-48'],
    choice: 'refuses responses to an oracle of more than 64 KiB',
    config: withLimits({ httpResponseBytes: 64 * 1024 }),
  },
  {
    id: 'oracle.responses-large',
    clauses: ['1-48'],
    choice: 'gives an oracle responses of up to 8 MiB',
    config: withLimits({ httpResponseBytes: 8 * mebibyte }),
  },
  {
    id: 'oracle.response-ends-run',
    clauses: ['1-48'],
    choice: 'ends a run whose HTTP call gets too large a response',
    parts: () => endedAfter(toldByProbe(' is larger than'), 'memory', 'response too large'),
  },
]
