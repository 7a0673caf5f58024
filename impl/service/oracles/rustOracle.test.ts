import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from 'polgate-fixtures/host/fixtureHost.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { oracleHarness, secretsOf } from './testing/testHarness.ts'

/**
 * An oracle built with other tools than this repository's: Rust with a hand-written canonical ABI.
 */

const bed = oracleHarness({ sharesCache: true })
let world: FixtureHost
beforeAll(async () => {
  world = await startFixtureHost()
})
beforeEach(() => world.reset())
afterAll(() => world.stop())

async function ask(input: string, secrets?: unknown) {
  const host = bed.hostWith({}, { egress: { allowedHosts: [world.hostPort] } })
  const cid = await bed.load(host, await buildOracle('rates'))
  const run = { cid, input, secrets: secrets === undefined ? undefined : secretsOf(secrets) }
  const { json, stats } = await host.run(run)
  return { rates: json.rates, calls: stats.httpCalls }
}
const secrets = () => ({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })

test('calls its feed with its secret in a header', async () => {
  const answer = await ask('{"symbol":"ETH"}', secrets())
  expect(answer).toEqual({ rates: { symbol: 'ETH', price: 2000 }, calls: 1 })
  expect(world.requests()).toEqual([{ method: 'GET', path: '/price/ETH', keyMatched: true }])
})

test.each([
  ['a wrong key', { PRICE_API_KEY: 'another' }, 'price feed answered 401'],
  ['a missing secret', { PRICE_API_KEY: undefined }, 'secret PRICE_API_KEY is missing'],
  [
    'a host outside the allow-list',
    { PRICE_FEED_URL: 'http://10.0.0.1' },
    'requests to 10.0.0.1 are refused: not a public address',
  ],
])('returns its error under its pack id: %s', async (_case, changed, error) => {
  const { rates } = await ask('{"symbol":"ETH"}', { ...secrets(), ...changed })
  expect(rates).toEqual({ error })
})

test('gets an error without secrets, and sends no request', async () => {
  expect(await ask('{"symbol":"ETH"}')).toEqual({
    rates: { error: 'no secrets are stored for this policy client and policy data' },
    calls: 0,
  })
  expect(world.requests()).toEqual([])
})

test('accepts an input that requires more memory', async () => {
  const { rates } = await ask(`{"more":"${'x'.repeat(500_000)}","symbol":"BTC"}`, secrets())
  expect(rates).toEqual({ symbol: 'BTC', price: 60_000 })
})
