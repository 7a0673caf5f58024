import { randomBytes } from 'node:crypto'
import { EgressError } from 'polgate-service/net/guardedLookup.ts'
import { type Egress, hostAndPort } from 'polgate-service/oracles/egress.ts'
import { createMockRegistry } from 'polgate-testing/process/mockedEgress.ts'
import { startMockServer } from 'polgate-testing/stack/mockServer.ts'
import type { OracleRequest } from 'polgate-testing/stack/oracleExchange.ts'
import type { OracleReply } from 'polgate-testing/stack/oracleReply.ts'
import { hostName } from './secretHosts.ts'

export type MockedHosts = {
  /**
   * Sends requests to mocked hosts to a listener of this process, and refuses all others. The guard's own
   * refusals hold for mocks too: forbidden schemes, ports, names and addresses.
   *
   * @param allowedHosts that this oracle may ask; empty for any mocked one
   */
  egress(inner: Egress, allowedHosts: readonly string[]): Egress
  /** Replaces the mocked hosts; requests that begin afterwards see them. */
  setHosts(hosts: readonly string[]): void
  close(): Promise<void>
}

/**
 * @param reply answers for all of the hosts
 * @param others whether requests to other hosts are refused, or follow the rules of the guard
 */
export async function openMockedHosts(
  hosts: readonly string[],
  reply: (request: OracleRequest) => OracleReply,
  others: 'refused' | 'guarded' = 'refused',
): Promise<MockedHosts> {
  const token = randomBytes(24).toString('base64url')
  const server = await startMockServer(token)
  const registry = createMockRegistry(
    others === 'guarded' ? 'any' : [],
    ({ host }) => `Add ${host.slice(0, 200)} to the mocks.`,
  )
  let mockedNow: readonly string[] = []
  function setHosts(wanted: readonly string[]): void {
    for (const host of mockedNow) {
      if (wanted.includes(host)) continue
      registry.remove(host)
      server.remove(host)
    }
    for (const host of wanted) {
      server.add(host, reply)
      registry.set(host, { origin: server.url, token })
    }
    mockedNow = [...wanted]
  }
  setHosts(hosts)
  return {
    setHosts,
    egress(inner, allowedHosts) {
      const mocked = registry.around(inner)
      const allowed = new Set(allowedHosts.map(hostName))
      if (allowed.size === 0) return mocked
      return {
        ...mocked,
        connections() {
          const connections = mocked.connections()
          return {
            ...connections,
            dispatcherFor(url) {
              const names = [url.host, hostAndPort(url)].map(hostName)
              if (names.some((name) => allowed.has(name))) return connections.dispatcherFor(url)
              throw new EgressError(
                `${url.host.slice(0, 200)} is not among the allowedHosts of the oracle`,
              )
            },
          }
        },
      }
    },
    close: server.close,
  }
}
