import { Agent, type Dispatcher } from 'undici'
import { isBlockedPort } from '../net/blockedPorts.ts'
import {
  EgressError,
  type Lookup,
  nameServerAddresses,
  publicOnly,
  refuseLiteral,
  socketLookup,
  systemAddresses,
} from '../net/guardedLookup.ts'
import { defaultOracleLimits } from './limits.ts'

export type EgressOptions = {
  /** Allowed `host:port` pairs, whatever their address; the port is always given. */
  allowedHosts?: readonly string[]
  /**
   * Resolves names. Default: for allowed hosts the system resolver with its hosts file; for names
   * that a guest chose, only the name servers, because system look-ups that wait for silent name
   * servers would block threads that files and ciphers need.
   */
  lookup?: Lookup
  /** Default: the limit of decision O4. */
  httpResponseHeaderBytes?: number
}

/**
 * The connections of one run. They are not shared with other runs and end with it (decision O6).
 */
export type Connections = {
  /**
   * The dispatcher through which a URL may be fetched.
   * @throws EgressError for forbidden schemes, ports, host names and address literals, and for
   *   credentials in the URL
   */
  dispatcherFor(url: URL): Dispatcher
  /** Ends requests in progress. */
  close(): Promise<void>
}

export type Egress = {
  connections(): Connections
  close(): Promise<void>
}

export const connectMs = 5_000
/** The longest name in DNS. */
const maxHostLength = 253

/**
 * Outgoing connections of oracles (decision O5). A name is resolved once, every address of the
 * result is checked, and the connection goes to exactly those addresses. Proxy settings of the
 * environment are ignored.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const allowed = new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase()))
  const toListed = socketLookup(options.lookup ?? systemAddresses)
  const toPublic = socketLookup(publicOnly(options.lookup ?? nameServerAddresses()))
  const { httpResponseHeaderBytes: maxHeaderSize = defaultOracleLimits.httpResponseHeaderBytes } =
    options
  const open = new Set<Connections>()

  function agent(lookup: typeof toListed): Agent {
    return new Agent({
      maxHeaderSize,
      // A guest makes one call at a time.
      connections: 1,
      // A cached TLS session would outlive its run.
      connect: { timeout: connectMs, lookup, maxCachedSessions: 0 },
    })
  }

  return {
    connections() {
      let listed: Agent | undefined
      let guarded: Agent | undefined
      const connections: Connections = {
        dispatcherFor(url) {
          refuseForm(url)
          if (allowed.has(hostAndPort(url))) {
            listed ??= agent(toListed)
            return listed
          }
          refuseName(url)
          refuseLiteral(url)
          guarded ??= agent(toPublic)
          return guarded
        },
        async close() {
          open.delete(connections)
          await Promise.all([listed?.destroy(), guarded?.destroy()])
        },
      }
      open.add(connections)
      return connections
    },
    async close() {
      await Promise.all([...open].map((each) => each.close()))
    },
  }
}

/** `host:port` as in the allow-list: with the default port of the scheme if the URL has none. */
export function hostAndPort(url: URL): string {
  const port = url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80'
  return `${url.hostname}:${port}`
}

function refuseForm(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError(`only http and https URLs may be fetched, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('credentials go into request headers, not into the URL')
  }
}

/** Rejects names and ports that no public host has. */
function refuseName(url: URL): void {
  const name = url.hostname.replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) {
    throw new EgressError(`requests to ${url.hostname} are refused: the name of the local machine`)
  }
  if (name.length > maxHostLength) {
    throw new EgressError(`a host name of more than ${maxHostLength} characters has no address`)
  }
  if (isBlockedPort(url)) {
    throw new EgressError(`requests to port ${url.port} are refused: it is not a port of HTTP`)
  }
}
