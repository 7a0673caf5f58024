import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { createService } from 'polgate-service/service.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

const svc = fileURLToPath(new URL('../cli/polgate.mjs', import.meta.url))
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
let stack: LocalStack
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-processes-'))
  stack = await startTestStack({ operatorProcesses: true })
})
afterAll(async () => {
  await stack.close()
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
    await control('/operators/0/start')
    const { result } = await create(3)
    expect(result!.operator_errors).toBeUndefined()
    expect(result).toMatchObject({ status: 'success' })
  })
})

/** A separate gateway on the chain of the stack. */
async function startGateway(dataDir: string): Promise<{ child: ChildProcess; gatewayUrl: string }> {
  const child = spawn(process.execPath, [svc, 'serve', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { config } = stack
  child.stdin.end(
    JSON.stringify({ ...config, gateway: { port: 0 }, admin: undefined, store: { dataDir } }),
  )
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)))
  })
  return { child, ...(JSON.parse(line) as { gatewayUrl: string }) }
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
  const call = (gatewayUrl: string) =>
    stackClient({
      gatewayUrl,
      apiKeys: { ...stack.description.apiKeys, rpc: key },
    }).call('createTask', params)

  const first = await startGateway(directory)
  stack.fixtureHost.setMode('slow')
  const seen = stack.fixtureHost.requests().length
  const lost = call(first.gatewayUrl).then(
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
