import {
  hostileComponent,
  hostileFixture,
  hostileInput,
} from 'polgate-fixtures/hostile/catalogue.ts'
import { type RawServer, startRawServer } from 'polgate-fixtures/hostile/rawServer.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from '../egress.ts'
import { createHostFetch } from '../hostFetch.ts'
import type { HostRequest } from '../hostRequest.ts'
import { defaultOracleLimits, type OracleLimits } from '../limits.ts'
import { failureOf, oracleHarness } from '../testing/testHarness.ts'

/** Each limit of an oracle: the exact limit passes, one more is rejected with its own message. */

const bed = oracleHarness()
let server: RawServer
let egress: Egress
/** Responses of the server; each is complete and of a given length. */
let answer = ''
beforeAll(async () => {
  server = await startRawServer((socket, { path }) => {
    const hop = Number(path.slice(1))
    if (hop > 0) {
      socket.write(`HTTP/1.1 302 Found\r\nLocation: /${hop - 1}\r\nContent-Length: 0\r\n\r\n`)
    } else socket.write(answer)
  })
  egress = createEgress({ allowedHosts: [server.hostPort], httpResponseHeaderBytes: 1_024 })
})
afterAll(() => Promise.all([server.stop(), egress.close()]))

function answering(body: string, headers = '') {
  answer = `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
}
const ended = new AbortController().signal
function fetchWith(limits: Partial<OracleLimits>) {
  const fetch = createHostFetch({ egress, limits: { ...defaultOracleLimits, ...limits } })
  return (request: Partial<HostRequest> = {}) =>
    fetch({ url: `http://${server.hostPort}/0`, method: 'GET', headers: [], ...request }, ended)
}

describe('HTTP', () => {
  test('calls', async () => {
    answering('{}')
    const fetch = fetchWith({ httpCalls: 2 })
    await fetch()
    await fetch()
    await expect(fetch()).rejects.toThrow(/^limit of 2 HTTP calls in one run exceeded$/)
  })

  test('bytes of the URL', async () => {
    answering('{}')
    const url = `http://${server.hostPort}/0?`.padEnd(1_024, 'x')
    await fetchWith({ httpUrlBytes: 1_024 })({ url })
    await expect(fetchWith({ httpUrlBytes: 1_024 })({ url: `${url}x` })).rejects.toThrow(
      /^the URL is longer than 1 KiB$/,
    )
  })

  test('bytes of the request: URL, method, names, values and body', async () => {
    answering('{}')
    const url = `http://${server.hostPort}/0`
    const headers: [string, string][] = [['x-name', 'value']]
    const body = new Uint8Array(1_024 - url.length - 'POSTx-namevalue'.length)
    const fetch = fetchWith({ httpRequestBytes: 1_024 })
    await fetch({ method: 'POST', headers, body })
    const larger = new Uint8Array(body.length + 1)
    await expect(fetch({ method: 'POST', headers, body: larger })).rejects.toThrow(
      /^the request is larger than 1 KiB$/,
    )
  })

  test('headers of the request', async () => {
    answering('{}')
    const fetch = fetchWith({ httpRequestHeaders: 2 })
    const headers = (count: number) => Array.from({ length: count }, () => ['x', 'y'])
    await fetch({ headers: headers(2) as [string, string][] })
    await expect(fetch({ headers: headers(3) as [string, string][] })).rejects.toThrow(
      /^the request has more than 2 headers$/,
    )
  })

  test('bytes of the headers of the response', async () => {
    const others = 'content-length'.length + '2'.length + 'x'.length
    const fetch = fetchWith({ httpResponseHeaderBytes: 1_024 })
    // The parser stops when the limit is reached, so the maximum is one byte less.
    answering('{}', `x: ${'y'.repeat(1_023 - others)}\r\n`)
    await fetch()
    answering('{}', `x: ${'y'.repeat(1_024 - others)}\r\n`)
    await expect(fetch()).rejects.toThrow(/^the headers of the response are larger than 1 KiB$/)
  })

  test('bytes of the response, headers included', async () => {
    const headers = 'content-length'.length + '1000'.length
    const fetch = fetchWith({ httpResponseBytes: 1_000 + headers })
    answering('x'.repeat(1_000))
    expect((await fetch()).body.length).toBe(1_000)
    answering('x'.repeat(1_001))
    await expect(fetch()).rejects.toThrow(/^the response is larger than 1018 bytes$/)
  })

  test('redirects', async () => {
    answering('{}')
    const fetch = fetchWith({ httpRedirects: 2 })
    const url = (hops: number) => ({ url: `http://${server.hostPort}/${hops}` })
    expect((await fetch(url(2))).status).toBe(200)
    await expect(fetch(url(3))).rejects.toThrow(`${server.hostPort} redirected more than 2 times`)
  })

  test('duration of a call', async () => {
    answer = ''
    await expect(fetchWith({ httpCallMs: 200 })()).rejects.toThrow(
      `the HTTP call to ${server.hostPort} took longer than 200 ms: there was no response`,
    )
    answering('{}')
    await fetchWith({ httpCallMs: 20_000 })()
  })
})

describe('a run', () => {
  const input = '1'.padEnd(1_024)

  test('bytes of its input', async () => {
    const host = bed.hostWith({ inputBytes: 1_024 })
    const cid = await bed.load(host, await buildOracle('echo'))
    await host.run({ cid, input })
    const { code, details } = await failureOf(host.run({ cid, input: `${input} ` }))
    expect([code, details]).toEqual(['input', 'the input is larger than 1 KiB'])
  })

  test('bytes of its output', async () => {
    const around = '{"echo":}'.length
    const host = bed.hostWith({ outputBytes: 1_024 + around })
    const cid = await bed.load(host, await buildOracle('echo'))
    expect((await host.run({ cid, input })).output).toHaveLength(1_024 + around)
    const { code, details } = await failureOf(host.run({ cid, input: `${input} ` }))
    expect([code, details]).toEqual([
      'output',
      'the output of 1034 bytes is larger than 1033 bytes',
    ])
  })

  test('bytes of its memory', async () => {
    const host = (memoryBytes: number) => bed.hostWith({ memoryBytes })
    const component = await hostileComponent(hostileFixture('output-bomb'), {
      ...hostileInputless,
      component: 'error.wat',
    })
    // Its initial size is 20 pages.
    await bed.load(host(20 * 65_536), component)
    const { code, details } = await failureOf(bed.load(host(20 * 65_536 - 1), component))
    expect([code, details]).toEqual([
      'memory',
      'the component starts with 20 pages of linear memory, the limit is 19',
    ])
  })

  test('bytes of its component', async () => {
    const component = await buildOracle('echo')
    await bed.load(bed.hostWith({ componentBytes: component.length }), component)
    const less = bed.hostWith(
      { componentBytes: component.length - 1 },
      { cacheDir: `${bed.cacheDir()}/less` },
    )
    const { code, details } = await failureOf(bed.load(less, component))
    expect(code).toBe('component')
    expect(details).toMatch(/^the component is larger than \d+ bytes$/)
  })

  test('time', async () => {
    const fixture = hostileFixture('endless-loop')
    const each = { ...hostileInputless, component: 'oracle.wat' }
    const host = bed.hostWith({ wallClockMs: 200 })
    const cid = await bed.load(host, await hostileComponent(fixture, each))
    const started = performance.now()
    const { code, details } = await failureOf(
      host.run({ cid, input: hostileInput(each, undefined) }),
    )
    expect([code, details]).toEqual(['wall-clock', 'the run took longer than 200 ms'])
    expect(performance.now() - started).toBeGreaterThanOrEqual(200)
  })
})

const hostileInputless = { name: '', ends: 'run', code: '', text: '' } as const

test('each limit is tested here', () => {
  // Add a test for each new limit to this file: at the limit, and one beyond.
  expect(Object.keys(defaultOracleLimits).sort()).toEqual([
    'componentBytes',
    'httpCallMs',
    'httpCalls',
    'httpRedirects',
    'httpRequestBytes',
    'httpRequestHeaders',
    'httpResponseBytes',
    'httpResponseHeaderBytes',
    'httpUrlBytes',
    'inputBytes',
    'memoryBytes',
    'outputBytes',
    'wallClockMs',
  ])
})
