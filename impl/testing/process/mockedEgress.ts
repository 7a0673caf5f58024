import { EgressError } from 'polgate-service/net/guardedLookup.ts'
import { type Connections, type Egress, hostAndPort } from 'polgate-service/oracles/egress.ts'
import { defaultOracleLimits } from 'polgate-service/oracles/limits.ts'
import { Agent, type Dispatcher } from 'undici'
import type { MockTarget } from '../stack/controlWire.ts'
import { mockHeaders } from '../stack/mockHeaders.ts'

/** The mocked hosts, by `host` (ports 80 and 443) or `host:port`. */
export type MockRegistry = {
  set(host: string, target: MockTarget): void
  remove(host: string): void
  clear(): void
  /** Hosts whose requests were refused because nothing mocks them; the newest last, at most 100. */
  refused(): readonly string[]
  readonly around: (egress: Egress) => Egress
}

const maxRefused = 100

/**
 * Sends requests of oracles to the mocks of a test, and refuses all others, except to the hosts that
 * the stack itself allows. It stands in front of the guard and only ever allows less: a mocked host
 * gets no connection of its own, and an allowed one passes the guard as before.
 *
 * @param allowed `host:port` of the stack's own fixture host, and what the options of the stack add; any
 *   leaves hosts without a mock to the guard
 * @param advice what to do about a refused request, for its error
 */
export function createMockRegistry(
  allowed: readonly string[] | 'any',
  advice: (url: URL) => string = adviceOfTests,
): MockRegistry {
  const mocks = new Map<string, MockTarget>()
  const passed = allowed === 'any' ? undefined : new Set(allowed.map((host) => host.toLowerCase()))
  const refused: string[] = []

  function targetOf(url: URL): MockTarget | undefined {
    const exact = mocks.get(hostAndPort(url))
    if (exact !== undefined || url.port !== '') return exact
    return mocks.get(url.hostname)
  }

  function refuse(url: URL): never {
    const host = url.host.slice(0, 200)
    refused.push(host)
    if (refused.length > maxRefused) refused.shift()
    throw new EgressError(
      `requests to ${host} are refused in tests: no mock for this host. ${advice(url)}`,
    )
  }

  const around = (egress: Egress): Egress => ({
    ...egress,
    connections() {
      const inner = egress.connections()
      let agent: Agent | undefined
      const connections: Connections = {
        dispatcherFor(url) {
          const target = targetOf(url)
          if (target !== undefined) {
            // What the guard refuses without a connection, production refuses as well.
            inner.dispatcherFor(url)
            agent ??= new Agent({
              connections: 1,
              maxHeaderSize: defaultOracleLimits.httpResponseHeaderBytes,
            })
            return redirectedTo(agent, target, url)
          }
          if (passed?.has(hostAndPort(url)) === false) refuse(url)
          return inner.dispatcherFor(url)
        },
        async close() {
          await Promise.all([inner.close(), agent?.destroy()])
        },
      }
      return connections
    },
  })

  return {
    set: (host, target) => void mocks.set(host.toLowerCase(), target),
    remove: (host) => void mocks.delete(host.toLowerCase()),
    clear() {
      mocks.clear()
      refused.length = 0
    },
    refused: () => [...refused],
    around,
  }
}

const adviceOfTests = (url: URL): string =>
  `Add stack.oracles.mock('${url.host.slice(0, 200)}', handler), or start the stack with allowedOracleHosts: ['${hostAndPort(url)}']`

/** The same requests at another address, which is told the original one. */
const redirectedTo = (agent: Agent, { origin, token }: MockTarget, { origin: asked }: URL) =>
  agent.compose((dispatch) => (options, handler) => {
    const headers = options.headers as string[]
    return dispatch(
      {
        ...options,
        origin,
        headers: [...headers, mockHeaders.token, token, mockHeaders.origin, asked],
      },
      handler,
    )
  }) as Dispatcher
