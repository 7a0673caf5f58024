import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FailingNode, startFailingNode } from './failingNode.fixture.ts'
import { createService, type Service } from './service.ts'
import type { ServiceConfigInput } from './serviceConfig.ts'
import { type Receiver, startReceiver } from './webhooks/receiver.fixture.ts'

const patience = { timeout: 60_000, interval: 50 }
const address = `0x${'ab'.repeat(20)}` as const
const cleanup = createCleanupStack()
let directory: string
let receiver: Receiver
let node: FailingNode
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-webhooks-'))
  receiver = await startReceiver()
  node = await startFailingNode('refuses')
})
afterEach(async () => {
  await cleanup.close()
  await receiver.close()
  await node.close()
  await rm(directory, { recursive: true, force: true })
})

/** The chain's node fails, so every task fails and notifies the webhook. */
function configOf(): ServiceConfigInput {
  const key = '11'.repeat(32)
  return {
    gateway: {},
    logLevel: 'silent',
    store: { dataDir: join(directory, 'store') },
    chain: {
      rpcUrl: node.url,
      chainId: 1,
      taskManager: address,
      operatorRegistry: address,
    },
    keys: { gateway: key, secrets: key, privacy: key },
    operators: [{ kind: 'local', address, blsKey: key }],
    webhooks: { allowLoopback: true },
    content: { directory: join(directory, 'content') },
    oracles: { cacheDir: join(directory, 'cache') },
  }
}

type Answer = {
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

const caller =
  (gatewayUrl: string, key: string, prefix = 'svc_') =>
  async (method: string, params: unknown): Promise<Answer> => {
    const response = await fetch(`${gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: `${prefix}${method}`, params }),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }

/** A task that fails because its client cannot be read. */
const failingTask = (value: number) => ({
  policy_client: address,
  intent: {
    from: address,
    to: address,
    value: `0x${value.toString(16)}`,
    data: '0x',
    chain_id: '0x1',
    function_signature: '0x',
  },
})

async function start(config = configOf()): Promise<Service> {
  const service = await createService(config)
  cleanup.defer(() => service.close())
  return service
}

describe('the two methods', () => {
  const keyOf = async (service: Service) => {
    const { key } = await service.store.apiKeys.create({ name: 'test', permissions: ['rpc_read'] })
    return key
  }

  it('register, replace and unregister, with a notification in between', async () => {
    const brand = { methodPrefix: 'acme_', signatureHeader: 'X-Acme-Signature' }
    const service = await start({ ...configOf(), brand })
    const call = caller(service.gatewayUrl, await keyOf(service), 'acme_')
    const url = `${receiver.url}/hook`
    expect((await call('unregisterWebhook', {})).result).toEqual({
      success: false,
      message: 'No webhook registered',
    })
    await call('registerWebhook', { url: `${receiver.url}/earlier` })
    expect((await call('registerWebhook', { url, secret: 'hush' })).result).toEqual({
      success: true,
      message: `Webhook registered for ${url}`,
    })
    const { result } = await call('createTask', failingTask(1))
    expect(result).toMatchObject({ status: 'failed' })
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    const { headers, body, path } = receiver.received[0]!
    expect(path).toBe('/hook')
    const notification = JSON.parse(body.toString()) as Record<string, unknown>
    expect(notification).toMatchObject({ task_id: result!.task_id, error_message: result!.error })
    expect(headers['x-idempotency-key']).toBe(notification.notification_id)
    expect(headers['x-acme-signature']).toBe(
      `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`,
    )
    expect(headers).not.toHaveProperty('x-service-signature')
    expect((await call('unregisterWebhook', undefined)).result).toEqual({
      success: true,
      message: 'Webhook unregistered',
    })
    await call('createTask', failingTask(2))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(receiver.received).toHaveLength(1)
  }, 180_000)

  it('reject invalid parameters with details', async () => {
    const service = await start({ ...configOf(), webhooks: {} })
    const call = caller(service.gatewayUrl, await keyOf(service))
    const url = 'https://hooks.example/'
    for (const [params, details] of [
      [{}, 'url is required'],
      [{ url: 'http://hooks.example/' }, 'url must be an HTTPS URL'],
      [{ url: 'http://127.0.0.1/' }, 'url must be an HTTPS URL'],
      [{ url: 'hooks.example' }, 'url must be an HTTPS URL'],
      [{ url: 'https://' }, 'url must be an HTTPS URL'],
      [{ url: `https://${'a'.repeat(2048)}` }, 'url must NOT have more than 2048 characters'],
      [{ url: 'https://user:pass@hooks.example/' }, 'url must not contain credentials'],
      [{ url, secret: '' }, 'secret must NOT have fewer than 1 characters'],
      [{ url, timeout_seconds: 0 }, 'timeout_seconds must be > 0'],
      [{ url, timeout_seconds: 61 }, 'timeout_seconds must be <= 60'],
      [{ url, max_retries: -1 }, 'max_retries must be >= 0'],
      [{ url, max_retries: 11 }, 'max_retries must be <= 10'],
      [{ url, max_retries: 0.5 }, 'max_retries must be integer'],
      [{ url, failure_types: [] }, 'failure_types must NOT have fewer than 1 items'],
    ] as const)
      expect((await call('registerWebhook', params)).error).toEqual({
        code: -32602,
        message: `Invalid request format: ${details}`,
      })
    const { error } = await call('registerWebhook', { url, failure_types: ['none_such'] })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('failure_types[0]'),
    })
    expect((await call('registerWebhook', { url: 'https://10.0.0.1/' })).result).toEqual({
      success: false,
      message: 'Webhook not registered: 10.0.0.1 is not a public address',
    })
    expect((await call('registerWebhook', { url })).result).toEqual({
      success: true,
      message: `Webhook registered for ${url}`,
    })
  }, 180_000)
})

const script = (config: ServiceConfigInput, holdBack: boolean) => `
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
const { createService } = await importCompiled('impl/service/service.ts')
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const send = ({ headers }) => {
  say({ sending: headers['X-Idempotency-Key'] })
  return new Promise(() => {})
}
const service = await createService(${JSON.stringify(config)}, {
  webhooks: (options) => (${holdBack} ? { ...options, send } : options),
})
const { key } = await service.store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
say({ gatewayUrl: service.gatewayUrl, key })
`

/** A service in a separate process, which reports its progress in lines of JSON. */
async function startProcess(holdBack: boolean) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '--eval', script(configOf(), holdBack)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  cleanup.defer(kill)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async () =>
    JSON.parse((await lines.next()).value as string) as Record<string, string>
  const { gatewayUrl, key } = await next()
  return { kill, next, call: caller(gatewayUrl!, key!) }
}

/** Whether any file in the directory contains a text. */
async function isAnywhere(text: string): Promise<boolean> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const file of files.filter((each) => each.isFile()))
    if ((await readFile(join(file.parentPath, file.name))).includes(text)) return true
  return false
}

describe('a gateway that is killed', () => {
  it('after a failure was stored and before it was sent: sends it after the restart', async () => {
    const first = await startProcess(true)
    const secret = `hush-${randomUUID()}`
    // Twice: the log of the database splits what lies across two of its pages.
    const path = `/path-${randomUUID()}`
    await first.call('registerWebhook', { url: `${receiver.url}${path}${path}`, secret })
    const { result } = await first.call('createTask', failingTask(1))
    const { sending } = await first.next()
    await first.kill()
    expect(receiver.received).toHaveLength(0)
    expect(await isAnywhere(secret)).toBe(false)
    expect(await isAnywhere(path)).toBe(true)

    await start()
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    const { headers, body } = receiver.received[0]!
    expect(headers['x-idempotency-key']).toBe(sending)
    expect(JSON.parse(body.toString())).toMatchObject({
      notification_id: sending,
      task_id: result!.task_id,
    })
    expect(headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    )
  }, 120_000)

  it('while a receiver has the notification and has not answered: sends it again', async () => {
    receiver.reply('hang', 200)
    const first = await startProcess(false)
    await first.call('registerWebhook', { url: receiver.url })
    await first.call('createTask', failingTask(1))
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    await first.kill()
    await start()
    await expect.poll(() => receiver.received.length, patience).toBe(2)
    const [before, after] = receiver.received
    expect(after!.headers['x-idempotency-key']).toBe(before!.headers['x-idempotency-key'])
    expect(after!.body).toEqual(before!.body)
  }, 120_000)
})
