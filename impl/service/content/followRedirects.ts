import { Agent, fetch as undiciFetch } from 'undici'
import {
  EgressError,
  type Lookup,
  nameServerAddresses,
  publicOnly,
  refuseLiteral,
  socketLookup,
} from '../net/guardedLookup.ts'
import { GatewayFailure } from './gatewayFailure.ts'

export type GatewayRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
export type GatewayFetch = (url: URL, request: GatewayRequest) => Promise<Response>

const redirects = new Set([301, 302, 303, 307, 308])
const maxRedirects = 3

/**
 * A GET that follows redirects, as the response is checked by its hash: to any path of the
 * gateway's host and its subdomains (gateways have a subdomain per content), and elsewhere only to
 * public addresses, so that a gateway cannot direct requests into the internal network.
 *
 * @throws GatewayFailure
 */
export async function followRedirects(
  start: URL,
  request: GatewayRequest,
  { fetch, fetchElsewhere }: { fetch: typeof globalThis.fetch; fetchElsewhere: GatewayFetch },
): Promise<Response> {
  let url = start
  for (let hop = 0; ; hop += 1) {
    const response = isOwn(url, start)
      ? await fetch(url, { ...request, redirect: 'manual' })
      : await elsewhere(url, request)
    const location = response.headers.get('location')
    if (!redirects.has(response.status) || location === null) return response
    await response.body?.cancel().catch(() => {})
    if (hop === maxRedirects) {
      throw new GatewayFailure(`redirected more than ${maxRedirects} times`, { blamed: true })
    }
    url = target(location, url)
  }

  async function elsewhere(url: URL, request: GatewayRequest): Promise<Response> {
    try {
      refuseLiteral(url)
      return await fetchElsewhere(url, request)
    } catch (error) {
      if (!refusedBy(error)) throw error
      const text = `redirected to ${url.host}, which has no public address`
      throw new GatewayFailure(text, { blamed: true, cause: error })
    }
  }
}

/**
 * Fetches from public addresses only; a name is resolved once and checked before the connection.
 */
export function publicFetch(lookup: Lookup = nameServerAddresses()): GatewayFetch {
  let agent: Agent | undefined
  return async (url, request) => {
    agent ??= new Agent({ connect: { lookup: socketLookup(publicOnly(lookup)), timeout: 5_000 } })
    const options = { ...request, dispatcher: agent, redirect: 'manual' as const }
    return (await undiciFetch(url, options)) as unknown as Response
  }
}

/** Same port on the same host or a subdomain, without a downgrade from TLS. */
function isOwn(url: URL, start: URL): boolean {
  const host = url.hostname === start.hostname || url.hostname.endsWith(`.${start.hostname}`)
  return host && url.port === start.port && url.protocol === start.protocol
}

function target(location: string, from: URL): URL {
  let url: URL
  try {
    url = new URL(location, from)
  } catch {
    throw new GatewayFailure('redirected to an invalid URL', { blamed: true })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new GatewayFailure(`redirected to a URL with the scheme ${url.protocol}`, {
      blamed: true,
    })
  }
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new GatewayFailure('redirected away from TLS', { blamed: true })
  }
  return url
}

function refusedBy(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause) {
    if (each instanceof EgressError) return true
    depth += 1
  }
  return false
}
