import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from '../../fixtures/host/fixtureHost.ts'
import { buildOracle } from '../../fixtures/oracles/build.ts'
import { contentIdOf } from './contentId.ts'
import type { OracleLimits } from './limits.ts'
import { OracleError } from './oracleError.ts'
import { createOracleHost, type OracleHost, type OracleHostOptions } from './oracleHost.ts'

let cacheDir: string
let world: FixtureHost
const hosts: OracleHost[] = []

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'oracles-'))
  world = await startFixtureHost()
  // The first build of a checkout takes some seconds; a test has less patience.
  await Promise.all(['price', 'sanctions'].map((name) => buildOracle(name)))
})
beforeEach(() => world.reset())
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()))
  await world.stop()
  await rm(cacheDir, { recursive: true })
})

function hostWith(limits: Partial<OracleLimits> = {}, more: Partial<OracleHostOptions> = {}) {
  const egress = { allowedHosts: [world.hostPort] }
  const host = createOracleHost({ clock: Date, cacheDir, egress, limits, ...more })
  hosts.push(host)
  return host
}

async function load(host: OracleHost, name: string): Promise<string> {
  const component = await buildOracle(name)
  const cid = contentIdOf(component)
  await host.load(component, { cid, label: 'PolicyData 0xAbC' })
  return cid
}

async function failureOf(promise: Promise<unknown>): Promise<OracleError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OracleError)
  expect((error as OracleError).message).toMatch(/^WASM execution failed: ./)
  return error as OracleError
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const secrets = () => bytes({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })

describe('an oracle in component text', () => {
  test('answers, as text and as the object it is', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const { output, json, stats } = await host.run({ cid, input: '{"a":[1,"é"]}' })
    expect(output).toBe('{"echo":{"a":[1,"é"]}}')
    expect(json).toEqual({ echo: { a: [1, 'é'] } })
    expect(stats.httpCalls).toBe(0)
  })

  test('takes an input larger than its first page of memory', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const text = 'x'.repeat(300_000)
    const { json } = await host.run({ cid, input: JSON.stringify(text) })
    expect(json).toEqual({ echo: text })
  })

  test('starts anew for every run', async () => {
    const host = hostWith({}, { maxWorkers: 1 })
    const cid = await load(host, 'counter')
    for (let run = 0; run < 2; run += 1) {
      expect((await host.run({ cid, input: '{}' })).json).toEqual({ counter: { runs: 1 } })
    }
  })

  test('may be built against a plain string', async () => {
    const host = hostWith()
    const cid = await load(host, 'plain-string')
    expect((await host.run({ cid, input: '{}' })).json).toEqual({ plain: { ok: true } })
  })
})

describe('an oracle in JavaScript', () => {
  const input = '{"symbol":"ETH"}'

  test('reaches its feed with its secret in a header', async () => {
    const host = hostWith()
    const cid = await load(host, 'price')
    const { json, stats } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toMatchObject({ price_feed: { symbol: 'ETH', price: 2000 } })
    expect(stats.httpCalls).toBe(1)
    expect(world.requests()).toEqual([{ method: 'GET', path: '/price/ETH', keyMatched: true }])
  })

  test('is told that there are no secrets', async () => {
    const host = hostWith()
    const cid = await load(host, 'price')
    const { json } = await host.run({ cid, input })
    expect(json).toEqual({
      price_feed: {
        error: 'no secrets are stored for this policy client and policy data',
      },
    })
    expect(world.requests()).toEqual([])
  })

  test.each([
    ['error', 'price feed answered 500'],
    ['huge', 'the response is larger than 1 MiB'],
    ['redirect', 'is not followed: it leaves the host'],
  ] as const)('fails closed when its feed is in mode %s', async (mode, text) => {
    const host = hostWith()
    const cid = await load(host, 'price')
    world.setMode(mode)
    const { json } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toEqual({ price_feed: { error: expect.stringContaining(text) } })
  })

  test('is ended while it waits for a feed that is too slow', async () => {
    const host = hostWith({ wallClockMs: 300 })
    const cid = await load(host, 'price')
    world.setMode('slow')
    const error = await failureOf(host.run({ cid, input, secrets: secrets() }))
    expect(error.code).toBe('wall-clock')
  })

  test('is not let out to hosts that are not listed', async () => {
    const host = hostWith({}, { egress: {} })
    const cid = await load(host, 'price')
    const { json } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toEqual({
      price_feed: { error: 'requests to 127.0.0.1 are refused: not a public address' },
    })
    expect(world.requests()).toEqual([])
  })
})

describe('an oracle that fails', () => {
  test.each([
    ['trap', 'trap', 'WASM execution failed: trap: unreachable'],
    ['failure', 'result', 'WASM execution failed: the feed is closed'],
    ['not-json', 'not-json', 'WASM execution failed: the output is not JSON'],
  ])('%s', async (name, code, message) => {
    const host = hostWith()
    const cid = await load(host, name)
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error).toMatchObject({ code, message })
  })

  test('is stopped when it loops, and its thread replaced', async () => {
    const host = hostWith({ wallClockMs: 200 }, { maxWorkers: 1 })
    const loop = await load(host, 'loop')
    const echo = await load(host, 'echo')
    const looping = host.run({ cid: loop, input: '{}' })
    const queued = host.run({ cid: echo, input: '1' })
    const error = await failureOf(looping)
    expect(error.code).toBe('wall-clock')
    expect(error.details).toBe('the run took longer than 200 ms')
    expect((await queued).json).toEqual({ echo: 1 })
    expect(host.workers()).toBe(1)
  })

  test('is refused memory over its limit', async () => {
    const host = hostWith({ memoryBytes: 4 * 1024 * 1024 })
    const cid = await load(host, 'grow')
    const before = process.memoryUsage().rss
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error.code).toBe('memory')
    expect(error.details).toBe(
      'the component is limited to 4 MiB of memory: it held 3.1 MiB and trapped: unreachable',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('is refused when it starts with more memory than the limit', async () => {
    const host = hostWith({ memoryBytes: 1024 * 1024 })
    const error = await failureOf(load(host, 'price'))
    expect(error.code).toBe('memory')
    expect(error.details).toMatch(/starts with \d+ pages of linear memory, the limit is 16/)
  })
})
