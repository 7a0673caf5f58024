import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from 'polgate-fixtures/host/fixtureHost.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oracleHarness, secretsOf } from './testing/testHarness.ts'

/** Instances are created while their thread is idle, but see only the data of their own run. */

const bed = oracleHarness({ sharesCache: true })
let world: FixtureHost
beforeAll(async () => {
  world = await startFixtureHost()
  await buildOracle('price')
})
afterAll(() => world.stop())

const idle = () => new Promise((resolve) => setTimeout(resolve, 200))
const hostWith = (prepareAhead: boolean) =>
  bed.hostWith({}, { egress: { allowedHosts: [world.hostPort] }, maxWorkers: 1, prepareAhead })

test('starts from a new instance for every run', async () => {
  const host = hostWith(true)
  const cid = await bed.load(host, await buildOracle('counter'))
  for (let run = 0; run < 3; run += 1) {
    expect((await host.run({ cid, input: '{}' })).json).toEqual({ counter: { runs: 1 } })
    await idle()
  }
})

test('sees the input and the secrets of its own run', async () => {
  const host = hostWith(true)
  const cid = await bed.load(host, await buildOracle('price'))
  const run = async (symbol: string, key?: string) => {
    const secrets =
      key === undefined ? undefined : secretsOf({ PRICE_API_KEY: key, PRICE_FEED_URL: world.url })
    return (await host.run({ cid, input: JSON.stringify({ symbol }), secrets })).json.price_feed
  }
  expect(await run('ETH', fixtureApiKey)).toMatchObject({ price: 2000 })
  await idle()
  expect(await run('BTC', fixtureApiKey)).toMatchObject({ price: 60_000 })
  await idle()
  expect(await run('ETH', 'another key')).toMatchObject({ error: 'price feed answered 401' })
  await idle()
  expect(await run('ETH')).toMatchObject({ error: expect.stringContaining('no secrets') })
})

test('another component may run instead', async () => {
  const host = hostWith(true)
  const price = await bed.load(host, await buildOracle('price'))
  const echo = await bed.load(host, await buildOracle('echo'))
  const secrets = secretsOf({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })
  await host.run({ cid: price, input: '{"symbol":"ETH"}', secrets })
  await idle()
  expect((await host.run({ cid: echo, input: '{"a":1}' })).output).toContain('"a":1')
})

test('components of the same shape are not confused', async () => {
  const host = hostWith(true)
  const shapes = ['echo', 'counter', 'not-json'] as const
  const cids = await Promise.all(
    shapes.map(async (name) => bed.load(host, await buildOracle(name))),
  )
  const answers = async () => {
    const seen: string[] = []
    for (const cid of cids) {
      const outcome = await host.run({ cid, input: '{"echo":1}' }).catch((error) => error)
      seen.push(outcome.output ?? outcome.code)
      await idle()
    }
    return seen
  }
  const first = await answers()
  expect(new Set(first).size).toBe(shapes.length)
  expect(await answers()).toEqual(first)
})
