import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { HostFetch, HostRequest } from '../oracles/hostFetch.ts'
import { openTelemetry } from './openTelemetry.ts'
import type { Telemetry } from './startTelemetry.ts'
import { type Collector, startCollector } from './testing/collector.ts'
import { tracedOracleFetch } from './tracedOperators.ts'

const cleanup = createCleanupStack()
let collector: Collector
let telemetry: Telemetry
beforeEach(async () => {
  collector = await startCollector()
  cleanup.defer(() => collector.close())
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  cleanup.defer(() => void vi.unstubAllEnvs())
  telemetry = (await openTelemetry({
    config: { endpoint: collector.url, headers: {}, followCallers: true, oracleHosts: [] },
    role: 'operator',
    log: console,
  })) as Telemetry
  cleanup.defer(() => telemetry.close())
})
afterEach(cleanup.close)

/** What the host receives, and the exported span. */
async function sent(hosts: readonly string[], request: Partial<HostRequest>) {
  const { tracing } = telemetry
  const received: HostRequest[] = []
  const fetch: HostFetch = async (each) => {
    received.push(each)
    return { status: 200, headers: [], body: new Uint8Array() }
  }
  const whole = { url: 'https://prices.example/', method: 'GET', headers: [], ...request }
  await tracing.span('run', {}, async () => {
    await tracedOracleFetch(tracing, hosts, fetch)(whole, new AbortController().signal)
  })
  await expect.poll(() => collector.spans.length, { timeout: 30_000 }).toBe(2)
  const span = collector.spans.find(({ name }) => name !== 'run')!
  return { headers: received[0]!.headers, span }
}

it('sends no ids to the hosts of oracles', async () => {
  const { headers } = await sent([], { headers: [['accept', 'text/plain']] })
  expect(headers).toEqual([['accept', 'text/plain']])
})

it('sends them to hosts that the configuration lists, with their port', async () => {
  const { headers, span } = await sent(['prices.example:443'], {})
  expect(headers).toEqual([['traceparent', `00-${span.traceId}-${span.spanId}-01`]])
})

it('sends them to no other port of these hosts', async () => {
  const { headers } = await sent(['prices.example:443'], { url: 'https://prices.example:8443/' })
  expect(headers).toEqual([])
})

it('leaves a header of the oracle as it is', async () => {
  const own: [string, string][] = [['Traceparent', 'own']]
  expect((await sent(['prices.example:443'], { headers: own })).headers).toEqual(own)
})

it.each([
  ['a path and a query', { url: 'https://prices.example/hush?key=hush#hush' }],
  ['a user and a password', { url: 'https://hush:hush@prices.example/' }],
  ['a method that is none', { method: `hush${'x'.repeat(10_000)}` }],
  [
    'a header and a body',
    { headers: [['x-key', 'hush']] as [string, string][], body: Buffer.from('hush') },
  ],
  ['a URL that is none', { url: 'hush' }],
])('records nothing of %s', async (_, request) => {
  const { span } = await sent([], request)
  expect(collector.text()).not.toContain('hush')
  expect(JSON.stringify(span).length).toBeLessThan(1_000)
})
