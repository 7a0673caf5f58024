import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway, validParams } from './gateway.fixture.ts'
import { defaultLimits } from './gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const body = (params: unknown = {}) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', params, id: 'x' })

describe('path and method', () => {
  it.each(['/', '/rpc/', '/RPC', '/rpc/x', '/ws', '/healthz', '/metrics', '//rpc'])(
    'responds 404 without JSON-RPC at %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const response = await gateway.send(method === 'POST' ? body() : null, { path, method })
        expect(response.status).toBe(404)
        expect(await response.text()).toBe('Not Found\n')
      }
    },
  )

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
    'responds 405 with Allow to %s /rpc',
    async (method) => {
      const response = await gateway.send(null, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    },
  )
})

describe('key', () => {
  it.each([
    ['no header', undefined],
    ['an unknown key', 'Bearer key_unknown'],
    ['no scheme', 'KEY'],
    ['another scheme', 'Basic KEY'],
    ['nothing after the scheme', 'Bearer '],
    ['something after the key', 'Bearer KEY KEY'],
    ['two headers', 'Bearer KEY, Bearer KEY'],
    ['two spaces', 'Bearer  KEY'],
    ['a very long key', `Bearer ${'k'.repeat(5000)}`],
  ])('responds 401 to %s', async (_, header) => {
    const response = await gateway.send(body(), {
      key: undefined,
      headers:
        header === undefined ? {} : { authorization: header.replaceAll('KEY', gateway.keys.rpc) },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32001, message: 'Invalid API key' },
      id: null,
    })
  })

  it('responds 401 to an expired key', async () => {
    const response = await gateway.send(body(), { key: gateway.keys.expired })
    expect(response.status).toBe(401)
  })

  it('accepts the scheme in any case', async () => {
    const headers = { authorization: `bearer ${gateway.keys.rpc}` }
    expect((await gateway.send(body(), { key: undefined, headers })).status).toBe(200)
  })

  it('is checked before the body', async () => {
    const response = await gateway.send('{{{', { key: 'key_unknown' })
    expect(response.status).toBe(401)
  })

  it('is rejected immediately after deletion or rotation', async () => {
    const { key, record } = await gateway.store.apiKeys.create({ name: 'k', permissions: ['rpc'] })
    expect((await gateway.send(body(), { key })).status).toBe(200)
    const rotated = await gateway.store.apiKeys.rotate(record.id)
    expect((await gateway.send(body(), { key })).status).toBe(401)
    expect((await gateway.send(body(), { key: rotated.key })).status).toBe(200)
    await gateway.store.apiKeys.delete(record.id)
    expect((await gateway.send(body(), { key: rotated.key })).status).toBe(401)
  })
})

describe('size', () => {
  const limit = defaultLimits.bodyBytes
  /** A body of spaces, which tracks how much of it was read. */
  const stream = (bytes: number) => {
    let read = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (read >= bytes) return controller.close()
        read += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    return { body, read: () => read }
  }
  const post = (body: ReadableStream, headers: Record<string, string> = {}) =>
    gateway.app.request(
      new Request('http://gateway/rpc', {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.keys.rpc}`, ...headers },
        body,
        duplex: 'half',
      } as RequestInit),
    )

  it('accepts a body of exactly the limit', async () => {
    const padded = body() + ' '.repeat(limit - body().length)
    expect((await gateway.send(padded)).status).toBe(200)
  })

  it('responds 413 to one byte more, declared or counted', async () => {
    const padded = body() + ' '.repeat(limit + 1 - body().length)
    for (const headers of [{ 'content-length': String(limit + 1) }, {} as Record<string, string>]) {
      const response = await gateway.send(padded, { headers })
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: null })
    }
  })

  it.each([
    ['without a length', undefined, limit],
    ['that declares a little too much', 2 * limit, 0],
    ['that declares much too much', 100 * limit, 0],
  ])(
    'responds 413 to a body %s without reading more than necessary',
    async (_, declared, needed) => {
      const { body, read } = stream(declared ?? 100 * limit)
      const headers = declared === undefined ? {} : { 'content-length': String(declared) }
      const response = await post(body, headers as Record<string, string>)
      expect(response.status).toBe(413)
      expect(read()).toBeLessThan(needed + 8 * 65_536)
      // The rest is discarded up to a bound, so that the client can read the response.
      expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: null })
      expect(read()).toBeLessThanOrEqual(34 * limit)
    },
  )

  it('enforces a declared length that is too small', async () => {
    const response = await gateway.send(' '.repeat(limit + 1), {
      headers: { 'content-length': '2' },
    })
    expect(response.status).toBe(413)
  })
})

describe('content', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'text/plain',
  ])('is parsed as JSON with Content-Type %s', async (type) => {
    const response = await gateway.send(body(), { headers: { 'content-type': type } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('is rejected if compressed', async () => {
    const response = await gateway.send(body(), { headers: { 'content-encoding': 'gzip' } })
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
  })

  it.each([
    ['nothing', ''],
    ['a truncated object', '{"jsonrpc":'],
    ['two values', '{} {}'],
    ['a name', 'undefined'],
    ['single quotes', "{'jsonrpc':'2.0'}"],
    ['a point without digits', '[1.]'],
    ['an exponent without digits', '[1e+]'],
    ['two signs', '[--10]'],
    ['an unfinished string', '"\\'],
    ['a number as a name', '{12345678901234567890:1}'],
    ['a leading zero', '[012345678901234567890]'],
  ])('is a parse error: %s', async (_, text) => {
    const response = await gateway.send(text)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'Parse error' },
      id: null,
    })
  })

  it('is a parse error if not UTF-8', async () => {
    const response = await gateway.send(
      Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0x22])]),
    )
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })

  it('may be nested as deeply as the size limit allows', async () => {
    for (const text of ['['.repeat(defaultLimits.bodyBytes), '{"a":'.repeat(400_000)]) {
      const response = await gateway.send(text)
      expect(await response.json()).toMatchObject({ error: { code: -32700 } })
    }
    const half = defaultLimits.bodyBytes / 2
    const closed = await gateway.send(`${'['.repeat(half)}${']'.repeat(half)}`)
    expect(await closed.json()).toMatchObject([{ error: { code: -32600 } }])
  })

  it('does not count brackets inside strings as depth', async () => {
    const response = await gateway.send(body({ note: '[{\\"'.repeat(1000) }))
    expect(await response.json()).toMatchObject({ result: { key_type: 'x25519' } })
  })

  it('does not include the body in a parse error', async () => {
    const response = await gateway.send('{"params": SECRET')
    expect(await response.text()).not.toContain('SECRET')
    expect(gateway.log.join('')).not.toContain('SECRET')
  })
})

describe('CORS', () => {
  const origin = 'https://app.example.com'

  it('is off by default', async () => {
    const response = await gateway.send(body(), { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('allows only the listed origins', async () => {
    const open = await openTestGateway({ corsOrigins: [origin] })
    const preflight = await open.send(null, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,traceparent,tracestate',
    )
    const call = await open.send(body(), { headers: { origin } })
    expect(call.headers.get('access-control-allow-origin')).toBe(origin)
    const other = await open.send(body(), { headers: { origin: 'https://evil.example.com' } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    await open.close()
  })
})

describe('log', () => {
  it('has one line per request, with the key id and without key or parameters', async () => {
    gateway.log.length = 0
    await gateway.call('simulatePolicy', {
      ...validParams.simulatePolicy,
      policy: 'package SECRET',
    })
    expect(gateway.log).toHaveLength(1)
    expect(JSON.parse(gateway.log[0]!)).toMatchObject({
      level: 30,
      keyId: expect.stringMatching(/^[0-9a-f]{12}$/),
      method: 'simulatePolicy',
      status: 200,
      ms: expect.any(Number),
      msg: 'rpc',
    })
    expect(gateway.log[0]).not.toContain(gateway.keys.rpc)
    expect(gateway.log[0]).not.toContain('SECRET')
  })

  it('contains the code of an error', async () => {
    gateway.log.length = 0
    await gateway.call('createTask', {})
    await gateway.send(body(), { key: 'key_unknown' })
    expect(gateway.log.map((line) => JSON.parse(line).code)).toEqual([-32602, -32001])
  })
})
