import { randomBytes } from 'node:crypto'
import type { ControlClient } from './controlClient.ts'
import { type MockServer, startMockServer } from './mockServer.ts'
import type { OracleAnswer, OracleExchange, OracleHandler, OracleRoutes } from './oracleExchange.ts'
import { TestingError } from './testingError.ts'

export type OracleMock = {
  /** The mocked host, such as `api.example.com`. */
  readonly host: string
  /**
   * Oldest first, at most 1,000. Every operator runs the oracles of a task: four operators make
   * four requests where one is written in the oracle.
   */
  readonly exchanges: readonly OracleExchange[]
  /** Requests to the host are refused again. */
  remove(): Promise<void>
}

export type OracleMocks = {
  /**
   * Answers the requests that oracles make to a host, https or http, instead of the host. Replaces
   * an earlier mock of it.
   *
   * @param host `api.example.com` (ports 443 and 80), or with another port `api.example.com:8443`
   * @throws TestingError for a host that is none
   */
  mock(host: string, answers: OracleHandler | OracleRoutes): Promise<OracleMock>
  /** Hosts that oracles asked for and nothing mocks; their requests were refused. */
  refusedHosts(): Promise<readonly string[]>
  /** Removes all mocks. */
  reset(): Promise<void>
  close(): Promise<void>
}

export function oracleMocks(call: ControlClient): OracleMocks {
  const token = randomBytes(24).toString('base64url')
  const active = new Map<string, OracleMock>()
  let server: Promise<MockServer> | undefined

  async function remove(host: string): Promise<void> {
    active.delete(host)
    ;(await server)?.remove(host)
    await call('/mock', { host, target: null })
  }

  return {
    async mock(given, answers) {
      const host = checkedHost(given)
      server ??= startMockServer(token)
      const { url: origin, add } = await server
      const exchanges = add(host, handlerOf(host, answers))
      const mock: OracleMock = {
        host,
        exchanges,
        async remove() {
          // Not a later mock of the same host.
          if (active.get(host) === mock) await remove(host)
        },
      }
      active.set(host, mock)
      await call('/mock', { host, target: { origin, token } })
      return mock
    },
    refusedHosts: async () => (await call('/refused', {})).hosts,
    async reset() {
      await Promise.all([...active.keys()].map(remove))
    },
    async close() {
      await (await server)?.close()
    },
  }
}

function checkedHost(given: string): string {
  const host = String(given).toLowerCase()
  const isHost = /^(\[[0-9a-f:.]+\]|[^\s/:@?#[\]]+)(:\d{1,5})?$/.test(host)
  if (isHost) return host.replace(/:(80|443)$/, '')
  throw new TestingError(
    `oracles.mock() takes a host, not ${JSON.stringify(given)?.slice(0, 100)}`,
    {
      code: 'option',
      hint: "Write 'api.example.com' without a scheme or path, or 'api.example.com:8443' for another port.",
    },
  )
}

function handlerOf(host: string, answers: OracleHandler | OracleRoutes): OracleHandler {
  if (typeof answers === 'function') return answers
  const paths = Object.keys(answers)
  const wrong = paths.find((path) => path !== '*' && !path.startsWith('/'))
  if (wrong !== undefined)
    throw new TestingError(`The path ${JSON.stringify(wrong)} of the mock of ${host} is none`, {
      code: 'option',
      hint: "Paths begin with a slash: { '/price': { price: 1 } }; '*' is any other path.",
    })
  const routes = answers as Readonly<Record<string, OracleAnswer | OracleHandler>>
  return (request) => {
    const { pathname } = request.url
    const answer = Object.hasOwn(routes, pathname) ? routes[pathname] : routes['*']
    if (answer === undefined)
      return Response.json(
        { error: `the mock of ${host} has no path ${pathname}: it has ${paths.join(', ')}` },
        { status: 404 },
      )
    return typeof answer === 'function' ? (answer as OracleHandler)(request) : answer
  }
}
