import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { isPublicAddress } from './addressGuard.ts'

/** All addresses of a host name; what `dns.lookup` does with `all: true`. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>

export interface EgressOptions {
  /** `host:port` pairs that may be reached whatever their address; the port is always written. */
  allowedHosts?: readonly string[]
  lookup?: Lookup
}

/** A destination that an oracle may not reach. The message names the host, never path or query. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
}

export interface Egress {
  /**
   * The dispatcher through which a URL may be fetched.
   * @throws EgressError for schemes, credentials in the URL and forbidden address literals
   */
  dispatcherFor(url: URL): Dispatcher
  close(): Promise<void>
}

const connectMs = 5_000

/**
 * The way out (decision O5). The name is resolved once, every address of the answer is checked, and
 * the connection is made to exactly those addresses: a second answer of the name server, or a second
 * meaning of the name, is never asked for.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const allowed = new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase()))
  const resolve = options.lookup ?? resolveAll
  const shared = { connectTimeout: connectMs, keepAliveTimeout: 4_000 }
  const open = new Agent({
    ...(options.lookup && { connect: { timeout: connectMs, lookup: answering(resolve) } }),
    ...shared,
  })
  const guarded = new Agent({
    ...shared,
    connect: { timeout: connectMs, lookup: answering(checked(resolve)) },
  })
  return {
    dispatcherFor(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new EgressError(`only http and https URLs may be fetched, not ${url.protocol}`)
      }
      if (url.username !== '' || url.password !== '') {
        throw new EgressError('credentials go into request headers, not into the URL')
      }
      if (allowed.has(hostAndPort(url))) return open
      const literal = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal(url.hostname)
      return guarded
    },
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()])
    },
  }
}

/** `host:port` with the scheme's own port where the URL has none, as the allow-list writes it. */
export function hostAndPort(url: URL): string {
  const port = url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80'
  return `${url.hostname}:${port}`
}

function checked(resolve: Lookup): Lookup {
  return async (hostname) => {
    const addresses = await resolve(hostname)
    // One forbidden address among public ones is a trap as much as one alone.
    if (!addresses.every(({ address }) => isPublicAddress(address))) throw refusal(hostname)
    return addresses
  }
}

function refusal(hostname: string): EgressError {
  return new EgressError(`requests to ${hostname} are refused: not a public address`)
}

const resolveAll: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(new EgressError(`the host ${hostname} has no address`, { cause: error }))
      else resolve(addresses)
    })
  })

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

/** In the shape that a socket asks its addresses in. */
function answering(resolve: Lookup) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0]
        if (!first) callback(new EgressError(`the host ${hostname} has no address`), [])
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, []),
    )
  }
}
