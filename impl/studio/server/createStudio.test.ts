import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import fc from 'fast-check'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { createAdmin } from 'polgate-service/gateway/admin.ts'
import {
  createReadiness,
  type Need,
  type NeedCheck,
  needs,
} from 'polgate-service/gateway/readiness.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unmetNeeds } from '../app/data/unmetNeeds.ts'
import { createStudio } from './createStudio.ts'
import { oneTimeCodes } from './oneTimeCodes.ts'
import type { StudioTarget } from './target.ts'

const token = 'right-token'
const port = 8602
const own = { host: `127.0.0.1:${port}` }
const keys = { rpc: 'secret-rpc-key', read: 'secret-read-key' }

type Seen = {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
const seen: Seen[] = []
let upstream: Server
let url: string

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    seen.push({ url: request.url!, headers: request.headers, body: await text(request) })
    response.setHeader('content-type', 'application/json')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('set-cookie', 'a=b')
    response.end('{"ok":true}')
  })
  url = (await listen(upstream)).url
})
afterAll(() => drain(upstream))

const targetOf = (local: boolean): StudioTarget => ({
  ...{ name: 'test', gatewayUrl: url, explorerUrl: url, rpcUrl: url, keys, defaultKey: 'rpc' },
  ...(local ? { controlUrl: url } : {}),
  contracts: {},
  brand: {
    ...{ methodPrefix: 'svc_', topicPrefix: 'service.task.', regoNamespace: 'service' },
    ...{ networkHeader: 'X-Protocol-Network', signatureHeader: 'X-Service-Signature' },
  },
})
const page = { type: 'text/html', bytes: new TextEncoder().encode('<!doctype html>') }
const assets = async () => new Map([['/index.html', page]])
const studio = (local = true) =>
  createStudio({ target: targetOf(local), token, assets, port: () => port })

type Options = { readonly method?: string; readonly body?: unknown; readonly headers?: object }
async function ask(path: string, options: Options = {}, local = true): Promise<Response> {
  const { method = 'GET', body, headers = {} } = options
  return await studio(local).request(path, {
    method,
    headers: { ...own, authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} })

describe('what is not from the page', () => {
  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:8600' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a name that resolves to this machine', { host: `evil.example:${port}` }],
    ['no port', { host: '127.0.0.1' }],
    ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['another port, without an origin', { 'sec-fetch-site': 'same-site' }],
  ])('%s can neither load, read nor change anything', async (_, headers) => {
    const before = seen.length
    const paths: readonly [string, Options][] = [
      ['/', {}],
      ['/api/target', {}],
      ['/api/control/operators', {}],
      ['/api/control/operators/0/stop', { method: 'POST', body: {} }],
      ['/api/rpc', { method: 'POST', body: call('svc_createTask') }],
      ['/api/explorer/v1/task', {}],
      ['/api/chain', { method: 'POST', body: call('evm_mine') }],
      ['/api/target', { method: 'OPTIONS' }],
    ]
    for (const [path, options] of paths) {
      const response = await ask(path, { ...options, headers })
      expect([path, response.status]).toEqual([path, 403])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(seen.length).toBe(before)
  })

  it.each([undefined, 'Bearer wrong', 'Bearer ', token, `Basic ${token}`])(
    'authorization %j is refused',
    async (authorization) => {
      const before = seen.length
      for (const path of ['/api/target', '/api/control/operators', '/api/explorer/v1/task']) {
        const headers = authorization === undefined ? own : { ...own, authorization }
        expect((await studio().request(path, { headers })).status).toBe(401)
      }
      expect(seen.length).toBe(before)
    },
  )

  it('refuses every token but its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (given) => {
        fc.pre(given.trim() !== token)
        const headers = { ...own, authorization: `Bearer ${given}`, 'x-api-key': given }
        expect((await studio().request('/api/target', { headers })).status).toBe(401)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the page', () => {
  it('has a strict policy, and is served to the browser itself without a token', async () => {
    const response = await studio().request('/', { headers: { ...own, 'sec-fetch-site': 'none' } })
    expect(response.status).toBe(200)
    const csp = response.headers.get('content-security-policy')!
    expect(csp).toContain("default-src 'none'")
    expect(csp).toContain("frame-ancestors 'none'")
    expect(csp).not.toMatch(/unsafe|\*|https?:/)
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has no other files', async () => {
    for (const path of ['/build.json', '/../package.json', '/%2e%2e/package.json', '/assets/'])
      expect((await studio().request(path, { headers: own })).status).toBe(404)
  })
})

describe('the address with a one-time code', () => {
  const codes = oneTimeCodes()
  const app = createStudio({
    ...{ target: targetOf(true), token, assets },
    ...{ useCode: codes.use, port: () => port },
  })
  const open = (code: string, headers: object = { 'sec-fetch-site': 'none' }) =>
    app.request(`/open?code=${code}`, { headers: { ...own, ...headers } })

  it('leads to the page with its token once, and is not kept', async () => {
    const code = codes.create()
    expect(code).not.toContain(token)
    const response = await open(code)
    expect([response.status, response.headers.get('location')]).toEqual([302, `/#token=${token}`])
    expect(response.headers.get('cache-control')).toBe('no-store')
    for (const given of [code, '', 'wrong', token]) {
      const refused = await open(given)
      expect([given, refused.status]).toEqual([given, 410])
      expect(await refused.text()).not.toContain(token)
    }
  })

  it('is not for pages of other origins, which use up no code', async () => {
    const code = codes.create()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { host: `evil.example:${port}` },
    ])
      expect((await open(code, headers)).status).toBe(403)
    expect((await open(code)).status).toBe(302)
  })
})

describe('what the page asks', () => {
  it('reaches the gateway with the named key, which no answer contains', async () => {
    const answers = [
      await ask('/api/rpc', { method: 'POST', body: call('svc_createTask') }),
      await ask('/api/rpc', {
        ...{ method: 'POST', body: call('svc_createTask') },
        headers: { 'x-studio-key': 'read' },
      }),
    ]
    expect(seen.slice(-2).map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
      ['/rpc', `Bearer ${keys.rpc}`],
      ['/rpc', `Bearer ${keys.read}`],
    ])
    for (const answer of [...answers, await ask('/api/target')]) {
      expect(await answer.text()).not.toContain('secret-')
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('refuses a key that there is not', async () => {
    for (const name of ['other', '__proto__', 'constructor', 'toString']) {
      const headers = { 'x-studio-key': name }
      const request = { method: 'POST', body: call('svc_createTask'), headers }
      expect((await ask('/api/rpc', request)).status).toBe(422)
    }
  })

  it('reaches explorer, node and control API', async () => {
    await ask('/api/explorer/v1/task?page=2', { headers: { 'x-protocol-network': 'testnet' } })
    await ask('/api/chain', { method: 'POST', body: call('evm_mine') })
    await ask('/api/control/operators/0/stop', { method: 'POST', body: {} })
    expect(seen.slice(-3).map(({ url: path, body }) => [path, body])).toEqual([
      ['/v1/task?page=2', ''],
      ['/', JSON.stringify(call('evm_mine'))],
      ['/operators/0/stop', '{}'],
    ])
    expect(seen.at(-3)!.headers).toMatchObject({
      'x-api-key': keys.rpc,
      'x-protocol-network': 'testnet',
    })
  })

  it('is told when the target is unreachable', async () => {
    const target = { ...targetOf(true), gatewayUrl: 'http://127.0.0.1:1' }
    const app = createStudio({ target, token, assets, port: () => port })
    const response = await app.request('/api/rpc', {
      ...{ method: 'POST', body: '{}' },
      headers: { ...own, authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ error: expect.stringContaining('unreachable') })
  })
})

describe('the readiness of the target', () => {
  const unmet: Partial<Record<Need, string>> = {}
  const checks = Object.fromEntries(needs.map((need) => [need, () => unmet[need]]))
  const admin = createAdmin({
    registry: { metrics: async () => '' },
    readiness: createReadiness({
      checks: checks as Record<Need, NeedCheck>,
      problems: async () => ['operator 0x12 does not answer'],
      times: { lastsMs: 0, unmetLastsMs: 0 },
    }),
  })
  const shown = async (adminUrl: string) => {
    const target = { ...targetOf(true), adminUrl }
    const app = createStudio({ target, token, assets, port: () => port })
    const headers = { ...own, authorization: `Bearer ${token}` }
    const response = await app.request('/api/ready', { headers })
    return unmetNeeds(response.status, await response.text())
  }

  it('is passed on to the page, which shows what calls lack and nothing that is only degraded', async () => {
    const listener = createAdaptorServer({ fetch: admin.fetch }) as Server
    const { url: adminUrl } = await listen(listener)
    expect(await shown(adminUrl)).toEqual([])
    unmet.store = 'the disk is full'
    unmet.operators = 'too few'
    expect(await shown(adminUrl)).toEqual(['store: the disk is full', 'operators: too few'])
    await drain(listener)
    expect(await shown(adminUrl)).toEqual(['its admin listener does not answer (HTTP 502)'])
  })

  it('is not asked where the target has no admin listener', async () => {
    expect((await ask('/api/ready')).status).toBe(404)
    expect(await (await ask('/api/target')).json()).toMatchObject({ has: { admin: false } })
  })
})

describe('without a control API', () => {
  it.each([
    ['/api/rpc', 'svc_createTask'],
    ['/api/rpc', 'svc_sendTask'],
    ['/api/rpc', 'svc_storeEncryptedSecrets'],
    ['/api/rpc', 'svc_registerWebhook'],
    ['/api/rpc', 'svc_uploadIdentityEncrypted'],
    ['/api/rpc', 'svc_getX; svc_createTask'],
    ['/api/chain', 'eth_sendRawTransaction'],
    ['/api/chain', 'eth_sendTransaction'],
    ['/api/chain', 'evm_mine'],
    ['/api/chain', 'anvil_setBalance'],
    ['/api/chain', 'debug_traceTransaction'],
  ])('%s refuses %s, alone and in a batch', async (path, method) => {
    const before = seen.length
    const reading = path === '/api/rpc' ? 'svc_simulateTask' : 'eth_blockNumber'
    for (const body of [call(method), [call(reading), call(method)], [[call(method)]], null, 'x'])
      expect((await ask(path, { method: 'POST', body }, false)).status).toBe(403)
    expect(seen.length).toBe(before)
  })

  it.each([
    ['/api/rpc', 'svc_simulateTask'],
    ['/api/rpc', 'rpc.discover'],
    ['/api/rpc', 'acme_getSecretsPublicKey'],
    ['/api/chain', 'eth_getBlockByNumber'],
  ])('%s passes %s on', async (path, method) => {
    expect((await ask(path, { method: 'POST', body: call(method) }, false)).status).toBe(200)
  })

  it('has no control API', async () => {
    expect((await ask('/api/control/operators', {}, false)).status).toBe(404)
    expect(await (await ask('/api/target', {}, false)).json()).toMatchObject({ readOnly: true })
  })
})
