import { EgressError } from 'polgate-service/net/guardedLookup.ts'
import { type Egress, hostAndPort } from 'polgate-service/oracles/egress.ts'
import { replyJson } from 'polgate-testing/stack/oracleReply.ts'
import { controlRequest } from '../controlRequest.ts'
import { openMockedHosts } from '../policy/test/mockedHosts.ts'
import { type MockSources, type MockTable, mockTable } from '../policy/test/mockTable.ts'
import { hostName } from '../policy/test/secretHosts.ts'

/** What hosts answer to the oracles of a stack; replaced while it runs. */
export type DevHosts = {
  /**
   * @param mocks `files`: the first one is the file of mocks
   * @param allowed hosts that oracles may ask, of a stack of this process; empty for any
   * @throws CommandError
   */
  set(
    mocks: MockSources & { readonly files: readonly string[] },
    allowed: readonly string[],
  ): Promise<void>
  close(): Promise<void>
}

/**
 * Those of a stack of another process, which are again as before at the end; undefined if they cannot be replaced, as
 * with operators in processes of their own.
 */
export async function runningDevHosts(controlUrl: string): Promise<DevHosts | undefined> {
  const answer = await fetch(`${controlUrl}/mocks`, { signal: AbortSignal.timeout(probeMs) }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  if (answer?.ok !== true) return undefined
  const put = async (files: readonly string[]) => {
    const response = await controlRequest(controlUrl, '/mocks', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ files }),
    })
    await response.body?.cancel()
  }
  return {
    set: ({ files }) => put(files.slice(0, 1)),
    // The stack may have ended before.
    close: () => put([]).catch(() => {}),
  }
}

const probeMs = 5_000

/** Of hosts that neither a mock nor the package names, the guard of the service decides. */
export async function openDevHosts(): Promise<
  DevHosts & { readonly egress: (egress: Egress) => Egress }
> {
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
    async set(mocks, hosts) {
      table = mockTable(mocks)
      allowed = new Set(hosts.map(hostName))
      mocked.setHosts(table.hosts)
    },
    close: mocked.close,
  }
}

const isLoopback = (name: string): boolean => name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
