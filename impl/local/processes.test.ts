import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { createService } from 'polgate-service/service.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { attribute } from 'polgate-service/telemetry/attributes.ts'
import {
  type CollectedSpan,
  type Collector,
  startCollector,
  treeOf,
} from 'polgate-service/telemetry/testing/collector.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

const svc = fileURLToPath(new URL('../cli/polgate.mjs', import.meta.url))
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
let stack: LocalStack
let directory: string
let collector: Collector

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-processes-'))
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50')
  collector = await startCollector()
  stack = await startTestStack({
    operatorProcesses: true,
    telemetry: { endpoint: collector.url },
  })
})
afterAll(async () => {
  await stack.close()
  await collector.close()
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true, force: true })
})

describe('operators as processes', () => {
  it('are not used if two of their URLs are swapped', async () => {
    const [first, second, ...others] = stack.config.operators as unknown as {
      url: string
      token: string
    }[]
    const token = second!.token
    const warnings: string[] = []
    const gateway = (operators: object[]) =>
      createService(
        {
          ...stack.config,
          gateway: { port: 0 },
          admin: undefined,
          operators: operators as never,
        },
        {
          logger: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }),
        },
      )
    // One token for both, so that only the address distinguishes them.
    const service = await gateway([{ ...first, url: second!.url, token }, second!, ...others])
    try {
      const call = service.operators[0]!.evaluate({} as never, new AbortController().signal)
      await expect(call).rejects.toMatchObject({
        message: `operator unreachable: operator ${stack.operators[1]!.address} answers instead`,
        retryable: false,
      })
      await expect.poll(() => warnings.join()).toContain('operator unavailable')
      expect(warnings.join()).not.toContain(token)
    } finally {
      await service.close()
    }
  })

  it('run oracles, evaluate and sign', async () => {
    const { result } = await stackClient(stack.description).call('createTask', {
      policy_client: stack.description.clients['priced-transfer']!.policyClient,
      intent: plainIntent(stack.description, 1),
      wasm_args: eth,
    })
    expect(result!.operator_errors).toBeUndefined()
    expect(result).toMatchObject({ status: 'success' })
  })

  it('continue the trace of their gateway', async () => {
    // Reads at a known block are cached.
    await stack.mine(1)
    const traceId = randomBytes(16).toString('hex')
    const { result } = await stackClient(stack.description, {
      traceparent: `00-${traceId}-${'1'.repeat(16)}-01`,
    }).call('createTask', {
      policy_client: stack.description.clients['priced-transfer']!.policyClient,
      intent: plainIntent(stack.description, 50),
      wasm_args: eth,
    })
    expect(result).toMatchObject({ status: 'success' })
    const trace = () => collector.spans.filter((span) => span.traceId === traceId)
    const count = (name: string) => trace().filter((span) => span.name === name).length
    await expect.poll(() => [count('POST /v1/sign'), count('POST /rpc')]).toEqual([4, 1])
    const core = trace().filter(({ name }) => !/^(node|chain|store|post|index) ?/.test(name))
    const trees = core
      .filter(({ name }) => /^operator/.test(name))
      .map((each) => treeOf(core, each))
    expect(new Set(trees)).toEqual(
      new Set([
        'operator collect(POST /v1/data(load oracle run oracle(oracle GET)))',
        'operator sign(POST /v1/sign(evaluate policy fetch content×2))',
      ]),
    )
    expect(trees).toHaveLength(8)
    const calls = core.filter(({ role }) => role === 'operator')
    expect(new Set(calls.map(({ service }) => service))).toEqual(new Set(['policy-operator']))
    // The operators read the chain themselves.
    const reads = trace().filter(
      ({ name, role }) => name.startsWith('node ') && role === 'operator',
    )
    expect(reads.length).toBeGreaterThan(0)
  })

  it('can be killed and come back, by the control listener', async () => {
    const { controlUrl, clients } = stack.description
    const control = async (path: string) =>
      (await (await fetch(`${controlUrl}${path}`, { method: 'POST' })).json()) as {
        running: boolean
        pid?: number
      }[]
    const create = (value: number) =>
      stackClient(stack.description).call('createTask', {
        policy_client: clients['allow-list']!.policyClient,
        intent: plainIntent(stack.description, value),
      })
    const pid = stack.operators[0]!.pid!
    const [first] = await control('/operators/0/stop')
    expect(first).toMatchObject({ running: false })
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    const failed = (await create(2)).result!
    expect(failed).toMatchObject({ status: 'failed' })
    expect(failed.operator_errors).toMatchObject([
      {
        operator_address: stack.description.operators[0]!.address,
        message: 'operator unreachable: connection refused',
        retryable: true,
      },
    ])
    const isDown = ({ name, isError, attributes }: CollectedSpan) =>
      name === 'operator sign' &&
      isError &&
      attributes[attribute.operator] === stack.operators[0]!.address
    await expect
      .poll(() => collector.spans.filter(isDown).map(({ message }) => message))
      .toEqual(['operator unreachable: connection refused'])
    await control('/operators/0/start')
    const { result } = await create(3)
    expect(result!.operator_errors).toBeUndefined()
    expect(result).toMatchObject({ status: 'success' })
  })
})

/** A separate gateway on the chain of the stack. */
async function startGateway(
  dataDir: string,
): Promise<{ child: ChildProcess; gatewayUrl: string; log: () => string }> {
  const child = spawn(process.execPath, [svc, 'serve', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const { config } = stack
  child.stdin.end(
    JSON.stringify({
      ...config,
      gateway: { port: 0 },
      admin: undefined,
      store: { dataDir },
      logLevel: 'info',
    }),
  )
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${log}`)))
  })
  return { child, ...(JSON.parse(line) as { gatewayUrl: string }), log: () => log }
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

it('a task of a killed gateway is continued by the next one', async () => {
  const empty = await openStore({ dataDir: directory })
  const { key } = await empty.apiKeys.create({ name: 'test', permissions: ['rpc'] })
  await empty.close()
  const params = {
    policy_client: stack.description.clients['multi-oracle']!.policyClient,
    intent: plainIntent(stack.description, 99),
    wasm_args: encodeWasmArgs(
      {
        symbol: 'ETH',
        sanctions_url: '{fixture_host}',
        address: stack.description.accounts.recipient.address,
      },
      { fixture_host: stack.description.fixtureHostUrl },
    ),
  }
  const traceId = randomBytes(16).toString('hex')
  const call = (gatewayUrl: string, headers = {}) =>
    stackClient({ gatewayUrl, apiKeys: { ...stack.description.apiKeys, rpc: key } }, headers).call(
      'createTask',
      params,
    )

  const first = await startGateway(directory)
  stack.fixtureHost.setMode('slow')
  const seen = stack.fixtureHost.requests().length
  const lost = call(first.gatewayUrl, {
    traceparent: `00-${traceId}-${'1'.repeat(16)}-01`,
  }).then(
    () => 'answered',
    () => 'cut off',
  )
  await expect
    .poll(() => stack.fixtureHost.requests().length, { timeout: 60_000 })
    .toBeGreaterThan(seen)
  first.child.kill('SIGKILL')
  await ended(first.child)
  expect(await lost).toBe('cut off')
  stack.fixtureHost.reset()

  const second = await startGateway(directory)
  try {
    // While it is in progress the same intent is refused; its caller is gone.
    const again = async () => (await call(second.gatewayUrl)).result
    await expect
      .poll(again, { timeout: 120_000 })
      .toMatchObject({ status: 'success', task: { nonce: 1 } })
    // In the trace of the gateway that was killed.
    const continued = () =>
      collector.spans.filter((span) => span.traceId === traceId && span.name === 'task')
    await expect
      .poll(continued, { timeout: 30_000 })
      .toMatchObject([{ isError: false, attributes: { [attribute.resumed]: true } }])
    const lines = second
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"rpc"'))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      })
  } finally {
    second.child.kill('SIGTERM')
    await ended(second.child)
  }

  const store = await openStore({ dataDir: directory })
  try {
    const rows = await store.database.query<{ id: string; status: string; error: string | null }>(
      'select id, status, error from tasks order by nonce',
    )
    expect(rows).toMatchObject([
      { status: 'success', error: null },
      { status: 'success', error: null },
    ])
    expect(await store.notifications.forTask(rows[0]!.id)).toEqual([])
  } finally {
    await store.close()
  }
}, 240_000)

// Last: the stack cannot be used after this test.
it('operators as processes end with their stack', async () => {
  const pids = stack.operators.map(({ pid }) => pid!)
  for (const pid of pids) expect(process.kill(pid, 0)).toBe(true)
  await stack.close()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
