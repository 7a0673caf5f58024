import {
  hostileComponent,
  hostileFixture,
  hostileInput,
} from 'polgate-fixtures/hostile/catalogue.ts'
import { type RawServer, startRawServer } from 'polgate-fixtures/hostile/rawServer.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, test } from 'vitest'
import { createEgress } from '../egress.ts'
import { createHostFetch } from '../hostFetch.ts'
import { defaultOracleLimits } from '../limits.ts'
import { failureOf } from '../testing/testHarness.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

const bed = hostileHarness(() => buildOracle('echo'))
const anyFixture = hostileFixture('huge-response')
const caller = { name: '', ends: 'guest', code: '', text: '' } as const
const cleanup = createCleanupStack()
afterEach(async () => {
  await cleanup.close()
})

type Answer = Parameters<typeof startRawServer>[0]
const ok: Answer = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')

async function serverThat(answer: Answer): Promise<RawServer> {
  const server = await startRawServer(answer)
  cleanup.defer(() => server.stop())
  return server
}

const inputFor = (url: string) => hostileInput({ ...caller, request: { url } }, undefined)

async function hostTo(server: RawServer, allowedHosts = [server.hostPort]) {
  const host = bed.hostWith({}, { egress: { allowedHosts } })
  const cid = await bed.load(host, await hostileComponent(anyFixture, caller))
  return { run: (url: string) => host.run({ cid, input: inputFor(url) }), host, cid }
}

function fetchTo(server: RawServer) {
  const egress = createEgress({ allowedHosts: [server.hostPort] })
  cleanup.defer(() => egress.close())
  return createHostFetch({ egress, limits: defaultOracleLimits })
}

test('a run reuses its connection, the next run gets a new one', async () => {
  const server = await serverThat(ok)
  const run = new AbortController()
  const fetch = fetchTo(server)
  const request = { url: `http://${server.hostPort}/`, method: 'GET', headers: [] }
  await fetch(request, run.signal)
  await fetch(request, run.signal)
  expect([server.connections(), server.open()]).toEqual([1, 1])
  run.abort()
  await expect.poll(() => server.open()).toBe(0)
  await fetchTo(server)(request, new AbortController().signal)
  expect(server.connections()).toBe(2)
})

test('data that a server sends in advance does not reach another run', async () => {
  const server = await serverThat((socket) => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n'
    socket.write(`${answer}{"own":true}${answer}{"ill":true}`)
  })
  const { run } = await hostTo(server)
  for (let count = 0; count < 3; count += 1) {
    const failure = await run(`http://${server.hostPort}/`).catch((error: Error) => error)
    // A connection is missing, and so is the extra data: the guest gets its own response or an
    // error.
    if (failure instanceof Error) expect(failure.message).toContain('failed')
    else expect(failure.output).not.toContain('ill')
  }
})

test('a call in progress ends with its run', async () => {
  const server = await serverThat(() => {})
  const { host, cid } = await hostTo(server)
  const given = new AbortController()
  const input = inputFor(`http://${server.hostPort}/`)
  const running = failureOf(host.run({ cid, input, signal: given.signal }))
  await expect.poll(() => server.requests().length).toBe(1)
  given.abort()
  expect((await running).details).toBe('the run was cancelled')
  await expect.poll(() => server.open()).toBe(0)
})

test('no proxy is used, whatever the environment says', async () => {
  const server = await serverThat(ok)
  const proxy = await serverThat(ok)
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = `http://${proxy.hostPort}/`
  try {
    const { run } = await hostTo(server)
    expect((await run(`http://${server.hostPort}/`)).json).toEqual({})
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  expect([server.connections(), proxy.connections()]).toEqual([1, 0])
})

test.each([
  ['another port', (port: number) => `http://127.0.0.1:${port === 65_535 ? 1_024 : port + 1}/`],
  ['another name of it', (port: number) => `http://localhost:${port}/`],
  ['it as credentials', (port: number) => `http://127.0.0.1:${port}@10.0.0.1/`],
  ['it as password', (port: number) => `http://127.0.0.1:${port}:x@10.0.0.1/`],
  ['it before a backslash', (port: number) => `http://10.0.0.1\\@127.0.0.1:${port}/`],
  ['it in the path', (port: number) => `http://10.0.0.1/127.0.0.1:${port}`],
  ['it in the fragment', (port: number) => `http://10.0.0.1#@127.0.0.1:${port}/`],
  ['it in the query', (port: number) => `http://10.0.0.1?@127.0.0.1:${port}/`],
  ['it mapped into IPv6', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
])('the allow-list cannot be bypassed by %s', async (_name, urlOf) => {
  const server = await serverThat(ok)
  const { run } = await hostTo(server)
  const { details } = await failureOf(run(urlOf(server.port)))
  expect(details).toMatch(/are refused: |^credentials go into/)
  expect(server.connections()).toBe(0)
})

test.each([
  ['capitals', (port: number) => `HTTP://127.0.0.1:${port}/`],
  ['another notation', (port: number) => `http://0x7f000001:${port}/`],
  ['a dot at its end', (port: number) => `http://127.0.0.1.:${port}/`],
])('an allowed host stays allowed in %s', async (_name, urlOf) => {
  const server = await serverThat(ok)
  const { run } = await hostTo(server)
  expect((await run(urlOf(server.port))).json).toEqual({})
  expect(server.requests()[0]?.head).toContain(`host: ${server.hostPort}`)
})
