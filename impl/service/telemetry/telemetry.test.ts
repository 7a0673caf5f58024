import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTelemetry, withTelemetryOf } from './openTelemetry.ts'
import type { Telemetry, TelemetryOptions } from './startTelemetry.ts'
import { type Collector, startCollector } from './testing/collector.ts'

const patience = { timeout: 30_000, interval: 20 }
const cleanup = createCleanupStack()
let collector: Collector
let log: string[]
beforeEach(async () => {
  log = []
  collector = await startCollector()
  cleanup.defer(() => collector.close())
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  cleanup.defer(() => void vi.unstubAllEnvs())
})
afterEach(cleanup.close)

const base = { headers: {}, followCallers: true, oracleHosts: [] }

async function start(
  config: Partial<TelemetryOptions['config']> = {},
  closeMs?: number,
): Promise<Telemetry> {
  const line = (fields: object, message: string) =>
    void log.push(`${message} ${JSON.stringify(fields)}`)
  const telemetry = await openTelemetry({
    config: { ...base, endpoint: collector.url, ...config },
    role: 'gateway',
    log: { warn: line, info: line },
    closeMs,
  })
  cleanup.defer(async () => telemetry?.close())
  return telemetry as Telemetry
}

async function record({ tracing }: Telemetry, count = 1): Promise<void> {
  for (let each = 0; each < count; each++) await tracing.span('work', {}, async () => {})
}

const remote = (flags: '00' | '01') => (name: string) =>
  name === 'traceparent' ? `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}` : undefined

describe('whether traces are recorded', () => {
  it('is no without a configuration', async () => {
    const options = { config: undefined, role: 'gateway', log: console } as const
    expect(await openTelemetry(options)).toBeUndefined()
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
  ])('follows the environment %j: %s', (env, expected) => {
    expect('telemetry' in withTelemetryOf({}, env)).toBe(expected)
  })

  it('is no where the environment disables it, whatever is configured', async () => {
    const options = { config: base, role: 'gateway', log: console } as const
    expect(await openTelemetry(options, { OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined()
    expect(await openTelemetry(options, { OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  })

  it('rejects a protocol that is not supported', async () => {
    const options = { config: base, role: 'gateway', log: console } as const
    await expect(
      openTelemetry(options, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
    ).rejects.toMatchObject({
      message: 'Invalid configuration: OTEL_EXPORTER_OTLP_PROTOCOL is grpc',
      hint: 'Supported are http/json and http/protobuf: set one of them, or remove the variable.',
    })
  })
})

describe('the trace of a caller', () => {
  it.each([
    ['none', undefined],
    ['text', 'hello'],
    ['zero ids', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['a long one', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-${'x'.repeat(5_000)}`],
  ])('starts anew with %s', async (_, value) => {
    const { tracing } = await start()
    const parent = tracing.contextOf((name) => (name === 'traceparent' ? value : undefined))
    const span = await tracing.span('work', { parent }, async (each) => each.spanContext())
    expect(span.traceId).not.toBe('a'.repeat(32))
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is continued, and passed on with its state', async () => {
    const { tracing } = await start()
    const parent = tracing.contextOf((name) =>
      name === 'tracestate' ? 'vendor=1' : remote('01')(name),
    )
    const headers = await tracing.span('work', { parent }, async () => tracing.headers())
    expect(headers.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/)
    expect(headers.tracestate).toBe('vendor=1')
    const long = tracing.contextOf((name) =>
      name === 'tracestate' ? `vendor=${'x'.repeat(600)}` : remote('01')(name),
    )
    expect(tracing.headers(long)).not.toHaveProperty('tracestate')
  })

  it('decides sampling, unless callers are not followed', async () => {
    const sampled = async (telemetry: Telemetry, flags: '00' | '01') => {
      const parent = telemetry.tracing.contextOf(remote(flags))
      return telemetry.tracing.span('work', { parent }, async (span) => span.isRecording())
    }
    const following = await start({ sampleRatio: 0 })
    expect(await sampled(following, '01')).toBe(true)
    expect(await sampled(following, '00')).toBe(false)
    const own = await start({ sampleRatio: 0, followCallers: false })
    expect(await sampled(own, '01')).toBe(false)
    const all = await start({ sampleRatio: 1, followCallers: false })
    expect(await sampled(all, '00')).toBe(true)
  })
})

it.each([
  ['always_off', undefined, 0],
  ['parentbased_always_off', undefined, 0],
  ['parentbased_traceidratio', '0', 0],
  ['traceidratio', '0', 0],
  ['traceidratio', '7', 20],
  ['always_on', undefined, 20],
  [undefined, undefined, 20],
])('OTEL_TRACES_SAMPLER %s with %s decides where callers do not', async (name, share, expected) => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', name)
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', share)
  const { tracing } = await start({ followCallers: false })
  const parent = tracing.contextOf(remote('01'))
  let recorded = 0
  for (let each = 0; each < 20; each++)
    await tracing.span('work', { parent }, async (span) => {
      if (span.isRecording()) recorded += 1
    })
  expect(recorded).toBe(expected)
})

it('samples a share of the other traces', async () => {
  const { tracing } = await start({ sampleRatio: 0.25 })
  let recorded = 0
  for (let each = 0; each < 2_000; each++)
    await tracing.span('work', {}, async (span) => {
      if (span.isRecording()) recorded += 1
    })
  expect(recorded).toBeGreaterThan(350)
  expect(recorded).toBeLessThan(650)
})

it('sends headers, the name of the service and bounded attributes', async () => {
  const telemetry = await start({ headers: { authorization: 'Bearer hush' }, serviceName: 'mine' })
  await telemetry.tracing.span('work', { attributes: { long: 'x'.repeat(10_000) } }, async () => {})
  await expect.poll(() => collector.spans.length, patience).toBe(1)
  expect(collector.spans[0]).toMatchObject({ service: 'mine', role: 'gateway' })
  expect(String(collector.spans[0]!.attributes.long)).toHaveLength(512)
  expect(collector.text()).toContain('Bearer hush')
  expect(log).toEqual([])
})

it('sends protobuf where the environment says so', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf')
  const telemetry = await start()
  await telemetry.tracing.span('a span in protobuf', {}, async () => {})
  await expect.poll(() => telemetry.counts().exported, patience).toBe(1)
  expect(collector.text()).toContain('"content-type":"application/x-protobuf"')
  expect(collector.text()).toContain('a span in protobuf')
})

describe('a collector that fails', () => {
  it.each([['answers 400', 400] as const, ['answers 500', 500] as const])(
    '%s: logged once for the outage and once for its end',
    async (_, status) => {
      vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200')
      const telemetry = await start()
      collector.mode(status)
      await record(telemetry)
      await expect.poll(() => telemetry.counts().lost, patience).toBe(1)
      await record(telemetry, 3)
      await expect.poll(() => telemetry.counts().lost, patience).toBe(4)
      expect(log).toHaveLength(1)
      expect(log[0]).toContain('spans cannot be exported; the service is not affected')
      collector.mode('ok')
      await record(telemetry)
      await expect.poll(() => telemetry.counts().exported, patience).toBe(1)
      expect(log.slice(1)).toEqual(['spans reach the collector again {"lost":4}'])
    },
  )

  it('is down: logged once', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200')
    const telemetry = await start({ endpoint: 'http://127.0.0.1:1' })
    await record(telemetry)
    await expect.poll(() => telemetry.counts().lost, patience).toBe(1)
    await record(telemetry)
    await expect.poll(() => telemetry.counts().lost, patience).toBe(2)
    expect(log).toEqual([
      'spans cannot be exported; the service is not affected {"cause":"ECONNREFUSED"}',
    ])
  })

  it('hangs: the queue is bounded, and closing too', async () => {
    const telemetry = await start({}, 300)
    collector.mode('hang')
    await record(telemetry, 20_000)
    const { ended, exported, lost } = telemetry.counts()
    expect([ended, exported, lost]).toEqual([20_000, 0, 0])
    const begin = performance.now()
    await telemetry.close()
    expect(performance.now() - begin).toBeLessThan(5_000)
    // At most the queue is sent, in as many requests as it has batches.
    expect(collector.requests()).toBeLessThanOrEqual(1 + 2_048 / 512 + 1)
  })
})

it('sends what is left when it closes', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '60000')
  const telemetry = await start()
  await record(telemetry, 5)
  await telemetry.close()
  await telemetry.close()
  expect(collector.spans).toHaveLength(5)
  expect(telemetry.counts()).toEqual({ ended: 5, exported: 5, lost: 0 })
})
