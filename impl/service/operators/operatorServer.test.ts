import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { withChallenge } from './challenge.ts'
import { type OperatorServerOptions, serveOperator } from './operatorServer.ts'
import {
  partsOf,
  type RequestParts,
  type SignatureParams,
  signRequest,
} from './operatorSignature.ts'
import { operatorThat, quick, sharedToken } from './testing/echoOperator.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const answering = operatorThat({ collectData: async () => ({ outputs: ['{}'], timings: {} }) })
let now = 1_700_000_000_000

async function serve(options: Partial<OperatorServerOptions> = {}) {
  const server = await serveOperator({
    operator: answering,
    token: sharedToken,
    clock: () => now,
    ...options,
  })
  cleanup.defer(() => server.close())
  return server
}

let drawn = 0
const freshParams = (changed: Partial<SignatureParams> = {}): SignatureParams => ({
  created: Math.floor(now / 1000),
  nonce: `nonce-of-a-test-${drawn++}`,
  keyid: answering.address,
  ...changed,
})

/** Sends a signed request with the changes of a test. */
async function send(
  url: string,
  changed: {
    readonly secret?: string
    readonly params?: SignatureParams
    readonly signed?: Partial<RequestParts>
    readonly path?: string
    readonly body?: string
    readonly headers?: Record<string, string>
  } = {},
) {
  const { secret = sharedToken, params = freshParams(), path = '/v1/data' } = changed
  const sentBody = JSON.stringify(quick)
  const request = { ...partsOf('POST', path, 'application/json', sentBody), ...changed.signed }
  const headers = { ...signRequest(secret, request, params), ...changed.headers }
  const { body = sentBody } = changed
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** An operator that answers when released. */
function holding() {
  let release = () => {}
  let begin = () => {}
  const started = new Promise<void>((resolve) => {
    begin = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const collectData = async () => {
    begin()
    await released
    return { outputs: [], timings: {} }
  }
  return { operator: operatorThat({ collectData }), started, release }
}

describe('an operator server', () => {
  it('responds to a signed request with a signed response', async () => {
    const { url } = await serve()
    const { status, headers, text } = await send(url)
    expect([status, text]).toEqual([200, '{"answer":{"outputs":["{}"],"timings":{}}}'])
    expect(headers.get('signature-input')).toContain('"content-digest";req')
  })

  it('reveals only its health to unsigned requests', async () => {
    const { url } = await serve()
    for (const path of ['/', '/v1/identity', '/v1/sign', '/v1/threshold/open', '/metrics']) {
      const response = await fetch(`${url}${path}`, { method: 'POST', body: '{}' })
      expect(response.status).toBe(401)
      expect(await response.text()).toBe('{"error":"the request is not signed"}')
    }
    expect(await (await fetch(`${url}/health`)).text()).toBe('{"ok":true}')
  })

  it('rejects a bearer token, even the right one', async () => {
    const { url } = await serve()
    const headers = { authorization: `Bearer ${sharedToken}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/v1/data`, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(401)
  })

  it('rejects a signature with another secret', async () => {
    const { url } = await serve()
    expect(await send(url, { secret: `${sharedToken}x` })).toMatchObject({
      status: 401,
      text: '{"error":"the signature does not verify with a known secret"}',
    })
  })

  it('rejects a signature for another path', async () => {
    const { url } = await serve()
    expect((await send(url, { signed: { path: '/v1/sign' } })).text).toContain('does not verify')
  })

  it('rejects a body other than the signed one', async () => {
    const { url } = await serve()
    expect(await send(url, { body: '{"policyClient":"0x","sources":[]}' })).toMatchObject({
      status: 401,
      text: '{"error":"the body does not match the signed digest"}',
    })
    const digest = partsOf('', '', '', '{}').contentDigest
    const swapped = await send(url, { body: '{}', headers: { 'content-digest': digest } })
    expect(swapped.text).toContain('does not verify')
  })

  it.each([-61, 61])('rejects a request %i s from now', async (seconds) => {
    const created = now / 1000 + seconds
    now -= 1_000_000
    const { url } = await serve()
    now += 1_000_000
    expect(await send(url, { params: freshParams({ created }) })).toMatchObject({
      status: 401,
      text: '{"error":"the signature is too old, or the clocks differ"}',
    })
    const within = created - Math.sign(seconds)
    expect(await send(url, { params: freshParams({ created: within }) })).toMatchObject({
      status: 200,
    })
  })

  it('rejects replays, and requests from before its start', async () => {
    const { url } = await serve()
    const params = freshParams()
    expect((await send(url, { params })).status).toBe(200)
    const replayed = { status: 401, text: '{"error":"the request was already received"}' }
    expect(await send(url, { params })).toMatchObject(replayed)
    now += 59_000
    expect(await send(url, { params })).toMatchObject(replayed)
    const restarted = await serve()
    expect((await send(restarted.url, { params })).text).toContain('too old')
  })

  it('accepts no recorded request when its clock has gone back, but new ones with its challenge', async () => {
    let passed = 0
    const running = performance.now.bind(performance)
    const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => running() + passed)
    cleanup.defer(() => monotonic.mockRestore())
    /** Both clocks, as when time passes. */
    const pass = (ms: number) => {
      passed += ms
      now += ms
    }
    const beforeStart = freshParams()
    pass(3_600_000)
    const { url } = await serve()
    const recorded = [beforeStart]
    let challenge: string | undefined
    for (let jump = 0; jump < 3; jump++) {
      const fresh = () => {
        const params = freshParams()
        if (challenge === undefined) return params
        return { ...params, nonce: withChallenge(challenge, params.nonce) }
      }
      const params = fresh()
      recorded.push(params)
      expect((await send(url, { params })).status).toBe(200)
      for (let minutes = 0; minutes < 180; minutes += 3) {
        pass(3 * 60_000)
        if (minutes % 60 === 0) expect((await send(url, { params: fresh() })).status).toBe(200)
      }
      for (const params of recorded) {
        now = params.created * 1_000
        const { status, text } = await send(url, { params })
        expect([status, text]).toEqual([401, expect.stringContaining('too old')])
        challenge = JSON.parse(text).challenge
        expect(challenge).toMatch(/^[\w-]{22}$/)
      }
      const answered = { ...freshParams(), nonce: withChallenge(challenge!, `again-${jump}`) }
      recorded.push(answered)
      expect((await send(url, { params: answered })).status).toBe(200)
      expect((await send(url, { params: answered })).text).toContain('already received')
    }
  })

  it('rejects requests for another operator with the same secret, and returns its identity', async () => {
    const { url } = await serve()
    const params = () => freshParams({ keyid: `0x${'cd'.repeat(20)}` })
    expect(await send(url, { params: params() })).toMatchObject({
      status: 401,
      text: '{"error":"the request is for another operator"}',
    })
    const identity = await send(url, { params: params(), path: '/v1/identity' })
    expect(JSON.parse(identity.text).answer.address).toBe(answering.address)
  })

  it('accepts the previous secret while it is configured, and signs responses with it', async () => {
    const { url } = await serve({ previousToken: 'the-secret-of-last-week' })
    expect((await send(url)).status).toBe(200)
    expect((await send(url, { secret: 'the-secret-of-last-week' })).status).toBe(200)
    expect((await send(url, { secret: 'the-secret-before-that' })).status).toBe(401)
  })

  it('rejects a body of more than 8 MiB', async () => {
    const { url } = await serve()
    const body = 'x'.repeat(8 * 1024 * 1024 + 1)
    const { contentDigest } = partsOf('', '', '', body)
    const told = await send(url, { body, signed: { contentDigest } })
    expect(told.status).toBe(413)
  })

  it('limits concurrent calls', async () => {
    const { operator, started, release } = holding()
    const { url } = await serve({ operator, bounds: { maxCalls: 1 } })
    const first = send(url)
    await started
    expect(JSON.parse((await send(url)).text)).toMatchObject({
      error: { message: 'operator busy: too many calls are waiting', retryable: true },
    })
    release()
    expect((await first).text).toContain('answer')
    expect((await send(url)).text).toContain('answer')
  })
})

it('reports unexpected errors locally, and not to the gateway', async () => {
  const faults: unknown[] = []
  const operator = operatorThat({
    collectData: async () => {
      throw new TypeError('with a secret in it')
    },
  })
  const { url } = await serve({ operator, onFault: (error) => faults.push(error) })
  expect((await send(url)).text).toContain('"operator failed"')
  expect(faults).toEqual([new TypeError('with a secret in it')])
})

describe('connections to an operator', () => {
  async function open(url: string): Promise<{ socket: Socket; ended: Promise<string> }> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let told = ''
    const ended = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        told += chunk.toString()
      })
      socket.on('close', () => resolve(told))
      socket.on('error', () => {})
    })
    cleanup.defer(() => socket.destroy())
    await new Promise((resolve) => socket.once('connect', resolve))
    return { socket, ended }
  }

  it('end if headers arrive a byte at a time', async () => {
    const { url } = await serve({ bounds: { headersMs: 200, requestMs: 400 } })
    const { socket, ended } = await open(url)
    socket.write('POST /v1/data HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => socket.writable && socket.write('a'), 50)
    cleanup.defer(() => clearInterval(drip))
    expect(await ended).toContain('408')
  })

  it('end if a signed body arrives a byte at a time', async () => {
    const { url } = await serve({ bounds: { headersMs: 200, requestMs: 400 } })
    const { socket, ended } = await open(url)
    const body = JSON.stringify(quick)
    const request = partsOf('POST', '/v1/data', 'application/json', body)
    const headers = Object.entries(signRequest(sharedToken, request, freshParams()))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    socket.write(`POST /v1/data HTTP/1.1\r\nhost: x\r\n${headers}content-length: 9999\r\n\r\n`)
    const drip = setInterval(() => socket.writable && socket.write(' '), 50)
    cleanup.defer(() => clearInterval(drip))
    expect(await ended).not.toContain('200 OK')
  })

  it('are limited', async () => {
    const { url } = await serve({ bounds: { maxConnections: 1 } })
    await open(url)
    const { ended } = await open(url)
    expect(await ended).toBe('')
  })

  it('are closed on shutdown after calls in flight are answered', async () => {
    const { operator, started, release } = holding()
    const server = await serve({ operator })
    const call = send(server.url)
    await started
    const closed = server.close()
    await expect(send(server.url)).rejects.toThrow('fetch failed')
    release()
    expect((await call).text).toContain('answer')
    await closed
  })

  it('are aborted if calls in flight do not end in time', async () => {
    const { operator, started } = holding()
    const server = await serve({ operator, bounds: { drainMs: 50 } })
    const call = send(server.url).catch(() => 'cut off')
    await started
    await server.close()
    expect(await call).toBe('cut off')
  })
})

it('refuses a request with two Host headers', async () => {
  const { url } = await serve()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})
