import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type FailingNode, startFailingNode } from './failingNode.fixture.ts'
import { createService, type Service } from './service.ts'

let directory: string
let node: FailingNode
let service: Service

/** The chain's node hangs, so tasks stay in flight. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-close-'))
  node = await startFailingNode('hangs')
  const secret = '11'.repeat(32)
  const address = `0x${'ab'.repeat(20)}` as const
  service = await createService(
    {
      logLevel: 'silent',
      chain: {
        rpcUrl: node.url,
        chainId: 1,
        taskManager: address,
        operatorRegistry: address,
      },
      keys: { gateway: secret, secrets: secret, privacy: secret },
      operators: [{ kind: 'local', address, blsKey: secret }],
      content: { directory: join(directory, 'content') },
      oracles: { cacheDir: join(directory, 'cache') },
    },
    { chainReadMs: 1_000 },
  )
}, 120_000)

afterAll(async () => {
  await service?.close()
  await node?.close()
  await rm(directory, { recursive: true, force: true })
})

const intent = (value: string) => ({
  from: `0x${'01'.repeat(20)}`,
  to: `0x${'02'.repeat(20)}`,
  value,
  data: '0x',
  chain_id: '0x1',
  function_signature: '0x',
})

it('sends the end of a task to its caller and its subscribers before it closes', async () => {
  const { key } = await service.store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
  const authorization = `Bearer ${key}`
  const call = async (method: string, value: string) => {
    const params = { policy_client: `0x${'03'.repeat(20)}`, intent: intent(value) }
    const response = await fetch(`${service.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: `svc_${method}`, params }),
    })
    return ((await response.json()) as { result: Record<string, unknown> }).result
  }
  // Concurrently: each is admitted after the read of its client has timed out.
  const answer = call('createTask', '0x2')
  const { subscription_topic: topic } = await call('sendTask', '0x1')
  const socket = new WebSocket(`${service.gatewayUrl.replace('http', 'ws')}/ws`, {
    headers: { authorization },
  })
  const heard: { type: string; result?: Record<string, unknown> }[] = []
  const subscribed = new Promise((resolve) => {
    socket.on('message', (data) => {
      heard.push(JSON.parse(String(data)))
      resolve(undefined)
    })
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code))
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', method: topic, params: null }))
  await subscribed
  await expect
    .poll(async () => (await service.store.tasks.listUnfinished()).length, { timeout: 60_000 })
    .toBe(2)

  await service.close()

  const interrupted = expect.stringContaining('the gateway is shutting down')
  expect(await answer).toMatchObject({ status: 'failed', error: interrupted })
  expect(await closed).toBe(1001)
  expect(heard).toMatchObject([
    { type: 'subscribed' },
    ...heard.slice(1, -2).map(() => ({ type: 'update', result: { event: 'status_update' } })),
    { type: 'update', result: { event: 'failure', data: { status: 'failed', progress: 100 } } },
    { type: 'notification', result: { failure_type: 'internal_error', is_recoverable: true } },
  ])
}, 180_000)
