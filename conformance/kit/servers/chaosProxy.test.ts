import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chaos, type ChaosFault, isChaos, strikes } from './chaos.ts'
import { serveChaos } from './chaosControl.ts'
import { type ChaosProxy, startChaosProxy } from './chaosProxy.ts'
import { atBlock, methodsIn, withResult } from './jsonCalls.ts'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

let server: Server
let proxy: ChaosProxy
let asked = 0
let block = 7

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked++
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { id, method, params } = JSON.parse(text) as Call
    const results: Record<string, unknown> = {
      eth_chainId: '0x7a69',
      eth_blockNumber: `0x${block.toString(16)}`,
      echo: params,
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startChaosProxy()
  proxy.to(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

/** A new connection for each request: an idle one may close just when it is reused. */
const alone = new Agent({ pipelining: 0 })

async function call(method: string, params: unknown[] = [], ms = 5_000): Promise<unknown> {
  const response = await fetch(proxy.url, {
    dispatcher: alone,
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ms),
  })
  if (response.status !== 200) return response.status
  return ((await response.json()) as { result: unknown }).result
}

async function within<T>(trouble: ChaosFault, run: () => Promise<T>, more: Partial<Chaos> = {}) {
  await proxy.set({ trouble, seed: '0x1', ...more })
  try {
    return await run()
  } finally {
    await proxy.set(undefined)
  }
}

describe('the way', () => {
  test('forwards until a fault is set, and again afterwards', async () => {
    expect(await call('echo', ['a'])).toEqual(['a'])
    expect(await within({ kind: 'status', status: 503 }, () => call('echo'))).toBe(503)
    expect(await call('echo', ['b'])).toEqual(['b'])
  })

  test.each([
    { kind: 'dropped' },
    { kind: 'reset' },
    { kind: 'garbage' },
    { kind: 'doubled' },
  ] as const)('returns no readable response: $kind', async (trouble) => {
    await expect(within(trouble, () => call('echo', ['a'.repeat(100)]))).rejects.toThrow()
  })

  test('does not answer in a black hole, and releases waiting clients when the fault is removed', async () => {
    const waiting = await within({ kind: 'black-hole' }, async () => {
      const answer = call('echo', [], 20_000).then(
        () => 'answered',
        () => 'let go',
      )
      await expect.poll(() => proxy.counts()['black-hole']).toBe(1)
      return { answer }
    })
    expect(await waiting.answer).toBe('let go')
  })

  test('is slow: delayed, and a byte at a time', async () => {
    const took = async (trouble: ChaosFault) => {
      const began = performance.now()
      expect(await within(trouble, () => call('echo', ['x']))).toEqual(['x'])
      return performance.now() - began
    }
    expect(await took({ kind: 'late', ms: 60, jitterMs: 10 })).toBeGreaterThan(55)
    expect(await took({ kind: 'drip', everyMs: 2 })).toBeGreaterThan(60)
  })

  test('forwards a request twice, and returns one response', async () => {
    const before = asked
    expect(await within({ kind: 'twice' }, () => call('echo', [1]))).toEqual([1])
    expect(asked - before).toBe(2)
  })

  test('pretends to be a node of another chain, and one that has stopped', async () => {
    expect(await within({ kind: 'wrong-chain' }, () => call('eth_chainId'))).toBe('0xdead')
    await within({ kind: 'stale-block' }, async () => {
      block = 9
      expect(await call('eth_blockNumber')).toBe('0x7')
      expect(await call('echo', ['latest'])).toEqual(['0x7'])
    })
    expect(await call('eth_blockNumber')).toBe('0x9')
  })

  test('affects only some requests, and counts them', async () => {
    const before = proxy.counts()
    const only = ['eth_chainId']
    await within(
      { kind: 'status', status: 500 },
      async () => {
        expect(await call('eth_chainId')).toBe(500)
        expect(await call('echo', [2])).toEqual([2])
      },
      { only },
    )
    expect(proxy.counts().status! - (before.status ?? 0)).toBe(1)
    expect(proxy.counts().passed! - (before.passed ?? 0)).toBe(1)
  })
})

describe('chaos', () => {
  const chaos: Chaos = { trouble: { kind: 'dropped' }, seed: '0x5eed', share: 0.4 }
  const struck = (seed: string) =>
    Array.from({ length: 500 }, (_, nth) => strikes({ ...chaos, seed }, nth, []))

  test('affects the same requests for the same seed, others for another, and its share', () => {
    expect(struck('0x1')).toEqual(struck('0x1'))
    expect(struck('0x1')).not.toEqual(struck('0x2'))
    const count = struck('0x1').filter(Boolean).length
    expect(count).toBeGreaterThan(150)
    expect(count).toBeLessThan(250)
  })

  test.each([
    {},
    null,
    { trouble: { kind: 'late', ms: -1 }, seed: '' },
    { trouble: { kind: 'late', ms: 1e9 }, seed: '' },
    { trouble: { kind: 'nothing' }, seed: '' },
    { trouble: { kind: 'status', status: 100 }, seed: '' },
    { trouble: { kind: 'dropped' }, seed: 1 },
    { trouble: { kind: 'dropped' }, seed: '', share: 2 },
    { trouble: { kind: 'dropped' }, seed: '', only: [1] },
  ])('rejects invalid faults: %j', (value) => {
    expect(isChaos(value)).toBe(false)
  })

  test('is controlled over loopback, by link', async () => {
    const sets: (Chaos | undefined)[] = []
    const set = async (given: Chaos | undefined) => void sets.push(given)
    const control = await serveChaos([{ name: 'chain', url: 'http://x', set, counts: () => ({}) }])
    const ask = (path: string, init?: Parameters<typeof fetch>[1]) =>
      fetch(`${control.url}${path}`, init).then((answer) => answer.status)
    const put = (body: unknown) => ({ method: 'PUT', body: JSON.stringify(body) })
    expect(await ask('/links')).toBe(200)
    expect(await ask('/links/chain', put(chaos))).toBe(200)
    expect(await ask('/links/chain', put({ trouble: 'all' }))).toBe(422)
    expect(await ask('/links/moon', put(chaos))).toBe(404)
    expect(await ask('/links/chain', { method: 'DELETE' })).toBe(200)
    expect(await ask('/links', { headers: { origin: 'http://page' } })).toBe(403)
    expect(sets).toEqual([chaos, undefined])
    await control.close()
  })
})

test('forwards other than JSON-RPC unchanged', () => {
  const odd = Buffer.from('no json')
  expect(methodsIn(odd)).toEqual([])
  expect(withResult(odd, odd, 'a', 'b')).toBe(odd)
  expect(atBlock(Buffer.from('["latest"]'), '0x1').toString()).toBe('["0x1"]')
  const batch = Buffer.from('[{"id":1,"method":"a"},{"id":2,"method":"b"}]')
  const answer = Buffer.from('[{"id":1,"result":0},{"id":2,"result":0}]')
  expect(JSON.parse(withResult(batch, answer, 'b', 'x').toString())).toEqual([
    { id: 1, result: 0 },
    { jsonrpc: '2.0', id: 2, result: 'x' },
  ])
})
