import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { createHostFetch } from './hostFetch.ts'
import { HostFetchError } from './hostFetchError.ts'
import type { HostRequest } from './hostRequest.ts'
import { defaultOracleLimits, type OracleLimits } from './limits.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

let handle: Handler = (_request, response) => response.end()
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  handle(request, response, body)
})
let host: string
let egress: Egress

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  egress = createEgress({ allowedHosts: [host] })
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  handle = (_request, response) => response.end('{}')
})

function fetchWith(limits: Partial<OracleLimits> = {}, signal = new AbortController().signal) {
  const fetch = createHostFetch({ egress, limits: { ...defaultOracleLimits, ...limits } })
  return (request: Partial<HostRequest> = {}) =>
    fetch({ url: `http://${host}/`, method: 'GET', headers: [], ...request }, signal)
}

test('sends method, headers and body, and returns status, headers and bytes', async () => {
  const seen: unknown[] = []
  handle = (request, response, body) => {
    seen.push(request.method, request.url, request.headers['x-key'], body)
    response.writeHead(418, { 'X-Kind': 'teapot' }).end(Buffer.from([0, 255, 1]))
  }
  const answer = await fetchWith()({
    url: `http://${host}/a?b=c`,
    method: 'post',
    headers: [['X-Key', 'k']],
    body: new TextEncoder().encode('text'),
  })
  expect(seen).toEqual(['POST', '/a?b=c', 'k', 'text'])
  expect(answer.status).toBe(418)
  expect(answer.headers).toContainEqual(['x-kind', 'teapot'])
  expect([...answer.body]).toEqual([0, 255, 1])
})

test('limits the number of calls', async () => {
  const fetch = fetchWith({ httpCalls: 2 })
  await fetch()
  await fetch()
  await expect(fetch()).rejects.toThrow('limit of 2 HTTP calls in one run exceeded')
})

test('limits the size of the request, including its headers', async () => {
  const fetch = fetchWith({ httpRequestBytes: 1024 })
  await fetch({ method: 'POST', body: new Uint8Array(900) })
  await expect(fetch({ method: 'POST', body: new Uint8Array(1024) })).rejects.toThrow(
    'the request is larger than 1 KiB',
  )
  await expect(fetch({ headers: [['x', 'y'.repeat(1024)]] })).rejects.toThrow('request is larger')
})

test('limits the size of the response, whatever length it declares', async () => {
  handle = (_request, response) => {
    for (let part = 0; part < 8; part += 1) response.write('x'.repeat(1024))
    response.end()
  }
  await expect(fetchWith({ httpResponseBytes: 4096 })()).rejects.toThrow(
    'the response is larger than 4 KiB',
  )
  expect((await fetchWith({ httpResponseBytes: 10_000 })()).body.length).toBe(8192)
})

test('limits the duration of one call, before and within the body', async () => {
  handle = () => {}
  await expect(fetchWith({ httpCallMs: 100 })()).rejects.toThrow(
    `the HTTP call to ${host} took longer than 100 ms`,
  )
  handle = (_request, response) => void response.write('x')
  await expect(fetchWith({ httpCallMs: 100 })()).rejects.toThrow('took longer than 100 ms')
})

test('aborts with its run', async () => {
  const run = new AbortController()
  handle = () => run.abort()
  await expect(fetchWith({}, run.signal)()).rejects.toThrow('the run has ended')
})

test('follows redirects within the host, at most as many as allowed', async () => {
  handle = (request, response) => {
    const step = Number(request.url?.slice(1))
    if (step === 3) response.end('there')
    else response.writeHead(302, { location: `/${step + 1}` }).end()
  }
  const answer = await fetchWith({ httpRedirects: 3 })({ url: `http://${host}/0` })
  expect(new TextDecoder().decode(answer.body)).toBe('there')
  await expect(fetchWith({ httpRedirects: 2 })({ url: `http://${host}/0` })).rejects.toThrow(
    'redirected more than 2 times',
  )
})

test('a redirected POST continues as a GET without body, and after 307 unchanged', async () => {
  const seen: string[] = []
  let status = 302
  handle = (request, response, body) => {
    seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
    if (request.url === '/') response.writeHead(status, { location: '/next' }).end()
    else response.end()
  }
  const post = {
    method: 'POST',
    headers: [['content-type', 'text/plain']] as [string, string][],
    body: new TextEncoder().encode('b'),
  }
  await fetchWith()(post)
  status = 307
  await fetchWith()(post)
  expect(seen).toEqual([
    'POST / text/plain b',
    'GET /next undefined ',
    'POST / text/plain b',
    'POST /next text/plain b',
  ])
})

test.each([
  'http://elsewhere.example/',
  'https://{host}/',
  'http://localhost:{port}/',
  '//169.254.169.254/latest',
])('does not follow a redirect to %s', async (location) => {
  const target = location.replace('{host}', host).replace('{port}', host.split(':')[1] ?? '')
  handle = (_request, response) => response.writeHead(302, { location: target }).end()
  await expect(fetchWith()()).rejects.toThrow('is not followed: it leaves the host')
})

test.each(['host', 'Content-Length', 'transfer-encoding', 'connection', 'upgrade'])(
  'the header %s is reserved for the host',
  async (name) => {
    await expect(fetchWith()({ headers: [[name, '1']] })).rejects.toThrow(
      `the header ${name.toLowerCase()} is set by the host`,
    )
  },
)

test.each(['CONNECT', 'TRACE', '', 'GET /'])('the method %j is rejected', async (method) => {
  await expect(fetchWith()({ method })).rejects.toThrow('the method is not one of GET, HEAD')
})

test('a header that would split the request is rejected', async () => {
  const failure = fetchWith()({ headers: [['x', 'a\r\nhost: evil']] })
  await expect(failure).rejects.toThrow(HostFetchError)
})

test('no error contains a path, query, header or body', async () => {
  server.closeIdleConnections()
  handle = (request) => request.socket.destroy()
  const failure = await fetchWith()({
    url: `http://${host}/hidden-path?hidden=query`,
    headers: [['x-key', 'hidden-header']],
  }).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(HostFetchError)
  expect((failure as Error).message).toBe(`the HTTP call to ${host} failed: UND_ERR_SOCKET`)
  await expect(fetchWith()({ url: 'no url with hidden text' })).rejects.toThrow(
    /^the URL is not valid$/,
  )
})
