import { freePort } from 'polgate-lib/http/freePort.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTask } from '../actions/createTask.ts'
import { getSecretsPublicKey } from '../actions/getSecretsPublicKey.ts'
import { sendTask } from '../actions/sendTask.ts'
import { unregisterWebhook } from '../actions/unregisterWebhook.ts'
import { createBaseClient } from '../client/createBaseClient.ts'
import { createBaseExplorer } from '../explorer/createBaseExplorer.ts'
import { getStats } from '../explorer/getStats.ts'
import { createIntent } from '../intents/createIntent.ts'
import { answering, type RetryServer, startRetryServer } from '../testing/retryServer.ts'

const address = `0x${'11'.repeat(20)}` as const
const params = {
  policy_client: address,
  intent: createIntent({ from: address, to: address, chainId: 1 }),
}
const sent = {
  task_id: `0x${'22'.repeat(32)}`,
  subscription_topic: 't',
  message: 'm',
  timestamp: 1,
}
const publicKey = { public_key: '00'.repeat(32), key_type: 'x25519', encryption_suite: 's' }

let server: RetryServer
beforeEach(async () => {
  server = await startRetryServer()
})
afterEach(() => server.close())

const clientOf = (options: object = {}) =>
  createBaseClient({ url: server.url, key: 'secret-key', retries: 3, ...options })

const rateLimited = answering(
  429,
  JSON.stringify({
    jsonrpc: '2.0',
    error: { code: -32005, message: 'Rate limit exceeded' },
    id: null,
  }),
  { 'retry-after': '1' },
)

const aborted = (cause: unknown) => ({ name: 'AbortError', code: 'ABORTED', cause })

describe('a read', () => {
  it.each([
    ['502', answering(502, 'Bad Gateway')],
    ['503', answering(503, '')],
    ['504', answering(504, '<html>')],
    ['a reset connection', 'reset' as const],
    [
      'a body that breaks off',
      (response: import('node:http').ServerResponse) => {
        response
          .writeHead(200, { 'content-length': '1000' })
          .write('{"jsonrpc"', () => response.destroy())
      },
    ],
  ])('is repeated after %s', async (_, fault) => {
    server.reply(fault, fault, server.result(publicKey))
    await expect(getSecretsPublicKey(clientOf())).resolves.toEqual(publicKey)
    expect(server.received).toHaveLength(3)
  })

  it('is repeated as often as the option says, then throws the last error', async () => {
    server.reply(503)
    await expect(getSecretsPublicKey(clientOf({ retries: 1 }))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(server.received).toHaveLength(2)
  })

  it.each([
    ['400', answering(400, '{}'), 'UNEXPECTED_STATUS'],
    ['401', answering(401, 'no'), 'UNAUTHORIZED'],
    ['403', answering(403, 'no'), 'FORBIDDEN'],
    ['404', answering(404, 'no'), 'UNEXPECTED_STATUS'],
    ['413', answering(413, 'no'), 'REQUEST_TOO_LARGE'],
    ['500', answering(500, 'no'), 'INTERNAL'],
    ['garbage', answering(200, 'garbage'), 'RESPONSE_MALFORMED'],
    ['truncated JSON', answering(200, '{"jsonrpc":"2.0","result":{"pub'), 'RESPONSE_MALFORMED'],
    ['bytes that are no text', answering(200, Uint8Array.of(0xff, 0xfe)), 'RESPONSE_MALFORMED'],
    ['JSON that is no response', answering(200, '[]'), 'RESPONSE_MALFORMED'],
    [
      'the id of another request',
      answering(200, '{"jsonrpc":"2.0","result":1,"id":"x"}'),
      'RESPONSE_MALFORMED',
    ],
    ['a redirect', answering(307, '', { location: 'http://127.0.0.1:9/' }), 'UNEXPECTED_STATUS'],
  ])('is not repeated after %s', async (_, fault, code) => {
    server.reply(fault)
    await expect(getSecretsPublicKey(clientOf())).rejects.toMatchObject({ code })
    expect(server.received).toHaveLength(1)
  })
})

describe('429', () => {
  it('is waited for as long as Retry-After says, also to create a task', async () => {
    server.reply(rateLimited, server.result(sent))
    await expect(sendTask(clientOf(), params)).resolves.toEqual(sent)
    const [first, second] = server.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990)
  })

  it('throws at once if the wait would exceed the time of the call', async () => {
    server.reply(answering(429, '', { 'retry-after': '3600' }))
    const before = performance.now()
    await expect(sendTask(clientOf({ timeoutMs: 5_000 }), params)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 3_600_000,
    })
    expect(performance.now() - before).toBeLessThan(3_000)
    expect(server.received).toHaveLength(1)
  })
})

describe('a request that creates a task', () => {
  it.each([
    ['502', answering(502, '')],
    ['503', answering(503, '')],
    ['500', answering(500, '')],
    ['408', answering(408, '')],
    ['499', answering(499, '')],
    ['202', answering(202, '')],
    ['a reset connection', 'reset' as const],
    ['garbage', answering(200, '{"jsonrpc":')],
    ['a result without an id', answering(200, '{}')],
  ])('is not repeated after %s, and the error tells how to look it up', async (_, fault) => {
    server.reply(fault)
    for (const create of [createTask, sendTask]) {
      const error = await create(clientOf(), params).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'TASK_STATE_UNKNOWN' })
      expect(String(error)).toContain('findTasks')
    }
    expect(server.received).toHaveLength(2)
  })

  it.each([
    ['a redirect', answering(307, '', { location: 'http://127.0.0.1:9/' })],
    ['404', answering(404, 'no')],
    ['405', answering(405, '')],
  ])('reports %s as such: no task exists', async (_, fault) => {
    server.reply(fault)
    for (const create of [createTask, sendTask])
      await expect(create(clientOf(), params)).rejects.toMatchObject({
        code: 'UNEXPECTED_STATUS',
        hint: expect.stringContaining('Check the URL'),
      })
  })

  it('is repeated where no connection was made', async () => {
    const port = await freePort()
    const late = createBaseClient({ url: `http://127.0.0.1:${port}`, key: 'k', retries: 8 })
    const sending = sendTask(late, params)
    await new Promise((resolve) => setTimeout(resolve, 400))
    const { startReceiver } = await import('polgate-service/webhooks/receiver.fixture.ts')
    const started = await startReceiver(port)
    started.reply((response) => {
      const { id } = JSON.parse(String(started.received.at(-1)!.body)) as { id: string }
      response.end(JSON.stringify({ jsonrpc: '2.0', result: sent, id }))
    })
    await expect(sending).resolves.toEqual(sent)
    expect(started.received).toHaveLength(1)
    await started.close()
  })

  it('reports a server that stays unreachable as such: no task exists', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(
      sendTask(createBaseClient({ url, key: 'k', retries: 1 }), params),
    ).rejects.toMatchObject({ code: 'NETWORK', notSent: true, details: 'ECONNREFUSED' })
  })

  it('that was not admitted in time is a timeout, not an unknown state', async () => {
    const late = { jsonrpc: '2.0', error: { code: -32603, message: 'Task timeout' }, id: null }
    server.reply(answering(500, JSON.stringify(late)))
    await expect(sendTask(clientOf(), params)).rejects.toMatchObject({ code: 'TASK_TIMEOUT' })
  })

  it('reports an intent in progress with the id of its task', async () => {
    const taskId = `0x${'ab'.repeat(32)}`
    const error = { code: -32616, message: `TaskAlreadyExists: ${taskId} is in progress` }
    server.reply(answering(200, JSON.stringify({ jsonrpc: '2.0', error, id: null })))
    await expect(sendTask(clientOf(), params)).rejects.toMatchObject({
      code: 'TASK_EXISTS',
      taskId,
    })
  })
})

describe('unregisterWebhook', () => {
  it('is not repeated after a lost answer: a repetition is refused', async () => {
    server.reply('reset', server.result({ success: false, message: 'No webhook registered' }))
    await expect(unregisterWebhook(clientOf())).rejects.toMatchObject({ code: 'NETWORK' })
    expect(server.received).toHaveLength(1)
  })

  it('is repeated after 429', async () => {
    const done = { success: true, message: 'Webhook unregistered' }
    server.reply(rateLimited, server.result(done))
    await expect(unregisterWebhook(clientOf())).resolves.toEqual(done)
  })
})

describe('time and size', () => {
  it('ends a call without an answer after timeoutMs', async () => {
    server.reply('hang')
    await expect(getSecretsPublicKey(clientOf({ timeoutMs: 200 }))).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
    await expect(sendTask(clientOf({ timeoutMs: 200 }), params)).rejects.toMatchObject({
      code: 'TASK_STATE_UNKNOWN',
      cause: { code: 'REQUEST_TIMEOUT' },
    })
  })

  it('ends a body that arrives byte by byte', async () => {
    server.reply((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    await expect(getSecretsPublicKey(clientOf({ timeoutMs: 300 }))).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
  })

  it('stops reading a body that is too large', async () => {
    let written = 0
    server.reply((response) => {
      const chunk = Buffer.alloc(64 * 1024, 0x20)
      const more = () => {
        while (written < 256 * 1024 * 1024 && response.writable) {
          written += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    await expect(
      getSecretsPublicKey(clientOf({ maxResponseBytes: 1_000_000 })),
    ).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  it("throws an AbortError with the reason of the caller's signal, before and during a call", async () => {
    server.reply('hang')
    const reason = new Error('enough')
    await expect(
      getSecretsPublicKey(clientOf(), {}, { signal: AbortSignal.abort(reason) }),
    ).rejects.toMatchObject(aborted(reason))
    expect(server.received).toHaveLength(0)
    const controller = new AbortController()
    const call = getSecretsPublicKey(clientOf(), {}, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(call).rejects.toMatchObject(aborted(reason))
  })
})

describe('the key', () => {
  const slow = { key: () => new Promise<string>(() => {}), timeoutMs: 100, retries: 3 }

  it.each([
    ['a read', (options?: object) => getSecretsPublicKey(clientOf(slow), {}, options)],
    ['sendTask', (options?: object) => sendTask(clientOf(slow), params, options)],
    [
      'createTask',
      (options = {}) => createTask(clientOf(slow), params, { timeoutMs: 100, ...options }),
    ],
    [
      'the explorer',
      (options?: object) =>
        getStats(
          createBaseExplorer({ url: server.url, ...slow }),
          { taskWindowStart: new Date(0) },
          options,
        ),
    ],
  ] as [string, (options?: object) => Promise<unknown>][])(
    'is waited for as long as the call may take: %s',
    async (_, call) => {
      await expect(call()).rejects.toMatchObject({
        code: 'REQUEST_TIMEOUT',
        details: expect.stringContaining('nothing was sent'),
      })
      const reason = new Error('enough')
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 20)
      await expect(call({ signal: controller.signal, timeoutMs: 60_000 })).rejects.toMatchObject(
        aborted(reason),
      )
      expect(server.received).toHaveLength(0)
    },
  )

  it('is sent as a bearer, from a function too, and never part of an error', async () => {
    server.reply(401)
    const keys = ['first-key', 'second-key']
    const client = createBaseClient({ url: server.url, key: () => keys.shift()! })
    for (const key of ['first-key', 'second-key']) {
      const error = await getSecretsPublicKey(client).catch((thrown: unknown) => thrown as Error)
      expect(server.received.at(-1)!.headers.authorization).toBe(`Bearer ${key}`)
      expect(JSON.stringify(error) + (error as Error).stack).not.toContain(key)
    }
  })

  it.each(['', 'a b', 'line\nbreak', 'ü', 'a,b', 'x'.repeat(257)])(
    'is refused before it is sent, without being quoted: %j',
    async (key) => {
      expect(() => createBaseClient({ url: server.url, key })).toThrow('not an API key')
      const error = await getSecretsPublicKey(
        createBaseClient({ url: server.url, key: () => key }),
      ).catch((thrown: unknown) => thrown as Error)
      expect(error).toMatchObject({ code: 'INVALID_OPTIONS' })
      expect(server.received).toHaveLength(0)
    },
  )
})
