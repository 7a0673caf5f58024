import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyPermission } from '../../store/keyOptions.ts'
import { handshakeKey, isOriginAllowed } from './handshake.ts'
import { openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
beforeAll(async () => {
  server = await openUpdateServer({ deps: { corsOrigins: ['https://app.example'] } })
})
afterAll(() => server.close())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const opens = (path: string, headers: Record<string, string> = {}) =>
  new Promise<void>((resolve, reject) => {
    const { socket } = server.dial(path, headers)
    socket.once('open', () => resolve(socket.terminate()))
    socket.once('error', reject)
  })

describe('address', () => {
  it('answers a plain GET like unknown paths', async () => {
    for (const path of ['/ws', '/other']) {
      const response = await fetch(server.listener.url + path, {
        headers: bearer(server.main.key),
      })
      expect([response.status, await response.text()]).toEqual([404, 'Not Found\n'])
    }
  })

  it.each(['/', '/rpc', '/ws/', '/ws2', '/WS', '//ws', '/x/ws', '/?/ws'])(
    'rejects an upgrade at %s with 404',
    async (path) => {
      expect(await server.refusal(path, bearer(server.main.key))).toMatchObject({
        status: 404,
        body: 'Not Found\n',
      })
    },
  )
})

describe('authentication', () => {
  it.each<[KeyPermission, boolean]>([
    ['rpc', true],
    ['rpc_read', true],
    ['rpc_write', false],
    ['admin', false],
  ])('accepts a key with %s: %s', async (permission, allowed) => {
    const { key } = await server.newKey([permission])
    if (allowed) {
      await opens('/ws', bearer(key))
      await opens(`/ws?api_key=${key}`)
      return
    }
    for (const refused of [
      server.refusal('/ws', bearer(key)),
      server.refusal(`/ws?api_key=${key}`),
    ])
      expect(await refused).toMatchObject({
        status: 403,
        body: '{"jsonrpc":"2.0","error":{"code":-32003,"message":"RpcRead permission required"},"id":null}',
      })
  })

  it('accepts a percent-encoded key among other query parameters', async () => {
    const key = 'a+key with-signs/'.replace(' ', '%')
    await server.store.apiKeys.create({ name: 'odd', permissions: ['rpc'], key })
    await opens(`/ws?a=b&api_key=${encodeURIComponent(key)}&c`)
  })

  it('rejects everything else with 401 and a JSON-RPC error', async () => {
    const expired = await server.newKey(['rpc'], new Date(0))
    const { key } = server.main
    const bad: [string, Record<string, string>?][] = [
      ['/ws'],
      ['/ws', { authorization: '' }],
      ['/ws', { authorization: key }],
      ['/ws', { authorization: `Basic ${key}` }],
      ['/ws', bearer('key_unknown')],
      ['/ws', bearer(expired.key)],
      ['/ws?api_key='],
      ['/ws?api_key=key_unknown'],
      ['/ws?api_key=%ZZ'],
      [`/ws?API_KEY=${key}`],
      [`/ws?key=${key}`],
      // Two keys are ambiguous.
      [`/ws?api_key=${key}&api_key=${key}`],
      // A malformed header is an error even with a valid key in the query.
      [`/ws?api_key=${key}`, { authorization: 'Bearer nonsense' }],
    ]
    for (const [path, headers] of bad) {
      const refused = await server.refusal(path, headers)
      expect(refused, path).toMatchObject({
        status: 401,
        body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Invalid API key"},"id":null}',
      })
      expect(refused.headers).toMatchObject({
        'www-authenticate': 'Bearer',
        'content-type': 'application/json',
      })
    }
  })

  it('has no key where the header is repeated', () => {
    const authorization = ['Bearer a', 'Bearer b']
    const request = { url: '/ws?api_key=b', headersDistinct: { authorization } }
    expect(handshakeKey(request)).toBeUndefined()
  })

  it('prefers the key of the header', () => {
    expect(
      handshakeKey({ url: '/ws?api_key=b', headersDistinct: { authorization: ['Bearer a'] } }),
    ).toBe('a')
    expect(handshakeKey({ url: '/ws?api_key=b', headersDistinct: {} })).toBe('b')
  })
})

describe('origin', () => {
  it('of a page must be listed', async () => {
    const headers = bearer(server.main.key)
    await opens('/ws', { ...headers, origin: 'https://app.example' })
    for (const origin of ['https://evil.example', 'null', 'https://app.example.evil.example'])
      expect(await server.refusal('/ws', { ...headers, origin })).toMatchObject({ status: 403 })
  })

  it('may be absent, or any if all are allowed', () => {
    expect(isOriginAllowed(undefined, [])).toBe(true)
    expect(isOriginAllowed('https://any.example', [])).toBe(false)
    expect(isOriginAllowed('https://any.example', ['*'])).toBe(true)
  })
})

describe('an invalid handshake', () => {
  it.each([
    ['an invalid key', { 'sec-websocket-key': 'short' }],
    ['another version', { 'sec-websocket-version': '7' }],
  ])('with %s is rejected with 400 and leaves nothing behind', async (_, wrong) => {
    const response = await new Promise<number>((resolve, reject) => {
      import('node:http').then(({ request }) => {
        const call = request(`${server.listener.url}/ws`, {
          headers: {
            ...bearer(server.main.key),
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
            'sec-websocket-version': '13',
            ...wrong,
          },
        })
        call.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
        call.once('upgrade', () => reject(new Error('accepted')))
        call.once('error', reject)
        call.end()
      })
    })
    expect(response).toBe(400)
  })
})
