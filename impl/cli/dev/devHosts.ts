import { EgressError } from 'polgate-service/net/guardedLookup.ts'
import { type Egress, hostAndPort } from 'polgate-service/oracles/egress.ts'
import { replyJson } from 'polgate-testing/stack/oracleReply.ts'
import { openMockedHosts } from '../policy/test/mockedHosts.ts'
import { hostName, type MockSources, type MockTable, mockTable } from '../policy/test/mockTable.ts'

/** What hosts answer to the oracles of a stack; replaced while it runs. */
export type DevHosts = {
  readonly egress: (egress: Egress) => Egress
  /** @param allowed hosts that oracles may ask; empty for any */
  set(mocks: MockSources, allowed: readonly string[]): void
  close(): Promise<void>
}

/** Of hosts that neither a mock nor the package names, the guard of the service decides. */
export async function openDevHosts(): Promise<DevHosts> {
  let table: MockTable = mockTable({ hosts: {}, exchanges: [] })
  let allowed: ReadonlySet<string> = new Set()
  const mocked = await openMockedHosts(
    [],
    (request) =>
      table.reply(request) ??
      replyJson({ error: 'mocks.yaml does not answer this request' }, { status: 404 }),
    'guarded',
  )
  // The fixtures of a local stack are there, and the guard refuses everything else of this machine.
  const isAllowed = (url: URL) =>
    allowed.size === 0 ||
    isLoopback(url.hostname) ||
    [url.host, hostAndPort(url)].some((name) => allowed.has(hostName(name)))

  return {
    egress(inner) {
      const egress = mocked.egress(inner, [])
      return {
        ...egress,
        connections() {
          const connections = egress.connections()
          return {
            ...connections,
            dispatcherFor(url) {
              if (isAllowed(url)) return connections.dispatcherFor(url)
              throw new EgressError(
                `${url.host.slice(0, 200)} is not among the allowedHosts of the package`,
              )
            },
          }
        },
      }
    },
    set(mocks, hosts) {
      table = mockTable(mocks)
      allowed = new Set(hosts.map(hostName))
      mocked.setHosts(table.hosts)
    },
    close: mocked.close,
  }
}

const isLoopback = (name: string): boolean => name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
