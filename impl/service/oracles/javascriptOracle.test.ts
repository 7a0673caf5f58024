import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from 'polgate-fixtures/host/fixtureHost.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OracleLimits } from './limits.ts'
import type { OracleHost, OracleHostOptions } from './oracleHost.ts'
import { failureOf, oracleHarness, secretsOf } from './testing/testHarness.ts'

const bed = oracleHarness({ sharesCache: true })
const load = async (host: OracleHost, name: string) => bed.load(host, await buildOracle(name))

let world: FixtureHost
beforeAll(async () => {
  world = await startFixtureHost()
  // The first build of a checkout takes some seconds, longer than the timeout of a test.
  await Promise.all(['price', 'sanctions'].map((name) => buildOracle(name)))
})
beforeEach(() => world.reset())
afterAll(() => world.stop())

const hostWith = (limits: Partial<OracleLimits> = {}, more: Partial<OracleHostOptions> = {}) =>
  bed.hostWith(limits, { egress: { allowedHosts: [world.hostPort] }, ...more })
const secrets = () => secretsOf({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })

describe('an oracle in JavaScript', () => {
  const input = '{"symbol":"ETH"}'

  test('calls its feed with its secret in a header', async () => {
    const host = hostWith()
    const cid = await load(host, 'price')
    const { json, stats } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toMatchObject({ price_feed: { symbol: 'ETH', price: 2000 } })
    expect(stats.httpCalls).toBe(1)
    expect(world.requests()).toEqual([{ method: 'GET', path: '/price/ETH', keyMatched: true }])
  })

  test('has a separate call count in every run', async () => {
    const one = hostWith({ httpCalls: 1 })
    const cid = await load(one, 'price')
    for (let run = 0; run < 2; run += 1) {
      const { json } = await one.run({ cid, input, secrets: secrets() })
      expect(json).toMatchObject({ price_feed: { price: 2000 } })
    }
    const none = hostWith({ httpCalls: 0 })
    await load(none, 'price')
    expect((await none.run({ cid, input, secrets: secrets() })).json).toEqual({
      price_feed: { error: 'limit of 0 HTTP calls in one run exceeded' },
    })
  })

  test('gets an error without secrets', async () => {
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

  test('is stopped while it waits for a slow feed', async () => {
    const host = hostWith({ wallClockMs: 300 })
    const cid = await load(host, 'price')
    world.setMode('slow')
    const error = await failureOf(host.run({ cid, input, secrets: secrets() }))
    expect(error.code).toBe('wall-clock')
  })

  test('cannot reach hosts outside the allow-list', async () => {
    const host = hostWith({}, { egress: {} })
    const cid = await load(host, 'price')
    const { json } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toEqual({
      price_feed: { error: 'requests to 127.0.0.1 are refused: not a public address' },
    })
    expect(world.requests()).toEqual([])
  })
})

test('an oracle without secrets fetches a public list', async () => {
  const host = hostWith()
  const cid = await load(host, 'sanctions')
  const input = JSON.stringify({ sanctions_url: world.url, address: '0xABC' })
  const screened = async () => (await host.run({ cid, input })).json
  const answer = { source: world.url, address: '0xabc' }
  expect(await screened()).toEqual({ sanctions: { ...answer, listed: false } })
  world.setListed('0xabc', true)
  expect(await screened()).toEqual({ sanctions: { ...answer, listed: true } })
})
