import { Agent, type Dispatcher } from 'undici'
import {
  EgressError,
  type Lookup,
  publicOnly,
  refuseLiteral,
  socketLookup,
  systemAddresses,
} from '../net/guardedLookup.ts'

export interface EgressOptions {
  /** `host:port` pairs that may be reached whatever their address; the port is always written. */
  allowedHosts?: readonly string[]
  lookup?: Lookup
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
 * the connection is made to exactly those addresses.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const allowed = new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase()))
  const resolve = options.lookup ?? systemAddresses
  const shared = { connectTimeout: connectMs, keepAliveTimeout: 4_000 }
  const open = new Agent({
    ...(options.lookup && { connect: { timeout: connectMs, lookup: socketLookup(resolve) } }),
    ...shared,
  })
  const guarded = new Agent({
    ...shared,
    connect: { timeout: connectMs, lookup: socketLookup(publicOnly(resolve)) },
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
      refuseLiteral(url)
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
