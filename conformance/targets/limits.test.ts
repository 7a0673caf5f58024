import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { selectChecks } from '../core/select.ts'
import type { Limits } from '../core/target.ts'
import { runChecks } from '../runner/runChecks.ts'
import { createSession } from '../runner/session.ts'
import { createLimiter, createLimitState, writingMethodIn, writingMethods } from './limits.ts'

/** Counts what arrives: a limit is verified at the server. */
let server: Server
let url: string
const seen: { readonly method: string; readonly path: string; readonly body: string }[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', path: request.url ?? '', body })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, result: { ok: true } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => void seen.splice(0))

const limiter = (limits: Limits, more: Partial<Parameters<typeof createLimiter>[0]> = {}) =>
  createLimiter({ limits, state: createLimitState(), surfaces: [url], ...more })

/** A target with its chain and control listener separate from its gateway. */
function apart() {
  const target = overclaimingTarget(url)
  const chain = { ...target.chain!, rpcUrl: `${url}/chain` }
  return { ...target, controlUrl: `${url}/control`, chain }
}

describe('a budget', () => {
  test('allows exactly that many, whatever the caller', async () => {
    const { limit, spent, sent } = limiter({ budget: 5 })
    const limited = limit(fetch)
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => limited(`${url}/rpc`)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(seen).toHaveLength(5)
    expect([sent(), spent()]).toEqual([5, 'the budget of 5 requests is spent'])
  })

  test('that equals the number of requests is not exhausted', async () => {
    const { limit, spent } = limiter({ budget: 2 })
    const limited = limit(fetch)
    await Promise.all([limited(`${url}/rpc`), limited(`${url}/v1/task`)])
    expect(spent()).toBeUndefined()
  })

  test('counts requests to the target only', async () => {
    const { limit, sent } = limiter({ budget: 1 }, { surfaces: ['http://target.invalid'] })
    const limited = limit(fetch)
    await limited(`${url}/rpc`)
    await limited(`${url}/rpc`)
    expect([seen.length, sent()]).toEqual([2, 0])
  })

  test('is shared by all threads of a run', async () => {
    const state = createLimitState()
    const code = `
      const { workerData, parentPort } = require('node:worker_threads')
      import('tsx/esm/api').then(async ({ register }) => {
        register()
        const { createLimiter } = await import(workerData.module)
        const { limit } = createLimiter({ limits: { budget: 10 }, state: workerData.state, surfaces: [workerData.url] })
        const limited = limit(fetch)
        const tries = await Promise.allSettled(Array.from({ length: 8 }, () => limited(workerData.url + '/rpc')))
        parentPort.postMessage(tries.filter(({ status }) => status === 'fulfilled').length)
      })`
    const module = new URL('./limits.ts', import.meta.url).href
    const thread = () =>
      new Promise<number>((resolve, reject) => {
        const worker = new Worker(code, { eval: true, workerData: { state, url, module } })
        worker.once('error', reject)
        worker.once('message', (count: number) => {
          void worker.terminate()
          resolve(count)
        })
      })
    const counts = await Promise.all([thread(), thread()])
    expect(counts[0]! + counts[1]!).toBe(10)
    expect(seen).toHaveLength(10)
  })
})

describe('a rate', () => {
  test('spreads requests evenly, also over two that share it', async () => {
    const waits: number[] = []
    const state = createLimitState()
    const options = {
      state,
      now: () => 1_000,
      wait: async (ms: number) => void waits.push(Math.round(ms)),
    }
    const [one, other] = [limiter({ maxRps: 10 }, options), limiter({ maxRps: 10 }, options)]
    for (let n = 0; n < 3; n++) {
      await one.turn()
      await other.turn()
    }
    expect(waits).toEqual([100, 200, 300, 400, 500])
  })

  test('is observed by the server', async () => {
    const limited = limiter({ maxRps: 50 }).limit(fetch)
    const began = performance.now()
    await Promise.all(Array.from({ length: 26 }, () => limited(`${url}/rpc`)))
    // 25 intervals of 20 ms: never sooner, however busy the machine.
    expect(performance.now() - began).toBeGreaterThanOrEqual(490)
    expect(seen).toHaveLength(26)
  })
})

describe('a read-only run', () => {
  test('recognizes a writing method in every form of a body', () => {
    for (const name of writingMethods) {
      expect(writingMethodIn(`{"method":"acme_${name}"}`)).toBe(name)
      expect(writingMethodIn(`[1,{"method":"svc_${name}","params":{}}]`)).toBe(name)
      const hidden = [...name].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')
      expect(writingMethodIn(`{"method":"svc_${hidden}"}`)).toBe(name)
      expect(writingMethodIn(Buffer.from(`not JSON ${name.toUpperCase()}`))).toBe(name)
    }
    expect(writingMethodIn('{"method":"svc_simulateTask"}')).toBeUndefined()
    expect(writingMethodIn(new ReadableStream())).toBeDefined()
  })

  test('sends none of them, and changes nothing through the control listener', async () => {
    const limited = limiter({ readOnly: true }, { controls: [`${url}/control`] }).limit(fetch)
    const body = '{"jsonrpc":"2.0","method":"svc_createTask","id":"1"}'
    await expect(limited(`${url}/rpc`, { method: 'POST', body })).rejects.toThrow(
      'the run is read-only, and this sends createTask',
    )
    await expect(limited(`${url}/control/keys`, { method: 'POST' })).rejects.toThrow('is read-only')
    await limited(`${url}/control/keys`)
    expect(seen.map(({ path }) => path)).toEqual(['/control/keys'])
  })

  test('whatever the checks do, no writing request arrives', async () => {
    // Every check of the areas that write, against a server that accepts everything.
    const asked = selectChecks(checks, { clause: ['4.2', '4.3', '4.5', '4.9', '4.10'] })
    const target = { ...apart(), limits: { readOnly: true } }
    const session = createSession({ target, seed: '0x00000001', effort: 0.05, missing: {} })
    const results = await runChecks(asked, session, { concurrency: 8 })
    expect(results).toHaveLength(asked.length)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.some(({ path }) => path === '/rpc')).toBe(true)
    for (const { body } of seen) expect(writingMethodIn(body)).toBeUndefined()
    for (const { body } of seen) expect(body).not.toMatch(/eth_send|anvil_|evm_/)
    const laboratory = seen.filter(({ path }) => path.startsWith('/control'))
    expect(laboratory.filter(({ method }) => method !== 'GET')).toEqual([])
    const refused = results.filter(({ reason }) => reason?.includes('is read-only'))
    expect(refused.length).toBeGreaterThan(20)
    expect(new Set(refused.map(({ verdict }) => verdict))).toEqual(new Set(['untestable']))
  })
})

test('a check that was in progress when the budget ended proves nothing', async () => {
  const asked = selectChecks(checks, { clause: ['4.1'] }).slice(0, 12)
  const target = { ...apart(), limits: { budget: 3 } }
  const session = createSession({ target, seed: '0x00000001', effort: 0.05, missing: {} })
  const results = await runChecks(asked, session, { concurrency: 4 })
  expect(seen.filter(({ path }) => path === '/rpc')).toHaveLength(3)
  const late = results.filter(({ reason }) => reason?.startsWith('the budget of 3'))
  expect(late.length).toBeGreaterThan(5)
  expect(late.every(({ verdict }) => verdict === 'untestable')).toBe(true)
})
