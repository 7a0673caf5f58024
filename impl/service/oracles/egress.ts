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
  /** `host:port` pairs that may be reached whatever their address; the port is always written. */
  allowedHosts?: readonly string[]
  /**
   * How names get their addresses. Default: listed hosts as the system does it, its file of hosts
   * included; names that a guest chose by the name servers alone, since whoever waits for silent ones
   * must not wait in a thread that files and ciphers need.
   */
  lookup?: Lookup
  /** Default: that of decision O4. */
  httpResponseHeaderBytes?: number
}

/** The connections of one run: none is shared with another run, none outlives it (decision O6). */
export type Connections = {
  /**
   * The dispatcher through which a URL may be fetched.
   * @throws EgressError for schemes, ports and host names that are never fetched, credentials in the
   *   URL and forbidden address literals
   */
  dispatcherFor(url: URL): Dispatcher
  /** Ends what is under way. */
  close(): Promise<void>
}

export type Egress = {
  connections(): Connections
  close(): Promise<void>
}

export const connectMs = 5_000
/** The longest name that DNS can carry. */
const maxHostLength = 253

/**
 * The way out (decision O5). The name is resolved once, every address of the answer is checked, and
 * the connection is made to exactly those addresses. No proxy is asked, whatever the environment says.
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
      // A session that TLS resumed would be kept between runs, too.
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

/** `host:port` with the scheme's own port where the URL has none, as the allow-list writes it. */
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

/** What no public host has: a name for this machine, more letters than DNS carries, a port for others. */
function refuseName(url: URL): void {
  const name = url.hostname.replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) {
    throw new EgressError(`requests to ${url.hostname} are refused: a name for the machine itself`)
  }
  if (name.length > maxHostLength) {
    throw new EgressError(`a host name of more than ${maxHostLength} characters has no address`)
  }
  if (isBlockedPort(url)) {
    throw new EgressError(`requests to port ${url.port} are refused: it is not a port of HTTP`)
  }
}
