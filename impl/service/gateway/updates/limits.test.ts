import { connect as connectTcp } from 'node:net'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import type { Store } from '../../store/openStore.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'
import type { TaskMessage } from '../../tasks/taskUpdates.ts'
import type { UpdateLimits } from './limits.ts'
import { openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'
import type { UpdateServerDeps } from './updateServer.ts'

let store: Store
let server: TestUpdateServer
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())
afterEach(() => server.close())
async function start(limits: Partial<UpdateLimits> = {}, deps: Partial<UpdateServerDeps> = {}) {
  server = await openUpdateServer({ limits, deps, shared: store })
}
/** An update of some size. */
const updateOf = (task: Bytes32, error: string): TaskMessage => ({
  kind: 'update',
  update: {
    event: 'operator_response',
    task_id: task,
    timestamp: 0,
    data: {
      status: 'processing',
      operator_responses: [],
      result: { status: 'processing', aggregation_response: null, error, timestamp: 0 },
      progress: 50,
    },
  },
})
async function eventually(holds: () => boolean) {
  for (let count = 0; count < 500 && !holds(); count++)
    await new Promise((done) => setTimeout(done, 20))
  expect(holds()).toBe(true)
}
const subscribe = (id: string, task: string) => ({
  type: 'subscribe',
  id,
  method: `${defaultBrand.topicPrefix}${task}`,
})

describe('limits', () => {
  it('64 subscriptions per connection, not counting ended tasks', async () => {
    await start()
    const client = await server.connect()
    const task = await server.newTask()
    const first = await client.subscribe(task)
    for (let count = 1; count < 64; count++) await client.subscribe(task)
    const other = await server.newTask()
    expect(await client.ask(subscribe('one more', other))).toEqual({
      type: 'error',
      id: 'one more',
      error: { code: -32005, message: 'Too many subscriptions: a connection may have at most 64' },
    })
    await client.ask({ type: 'unsubscribe', id: 'u', subscription: first })
    await client.subscribe(other)
    await server.finish(task)
    for (let count = 0; count < 63; count++) await client.subscribe(other)
    expect(await client.ask(subscribe('again', other))).toMatchObject({ error: { code: -32005 } })
  })

  it('256 KiB per frame', async () => {
    await start()
    const client = await server.connect()
    client.send('x'.repeat(256 * 1024))
    expect(await client.next()).toMatchObject({ error: { code: -32700 } })
    client.send('x'.repeat(256 * 1024 + 1))
    expect(await client.closed).toMatchObject({ code: 1009 })
  })

  it('a message in fragments counts as one frame', async () => {
    await start()
    const client = await server.connect()
    for (let count = 0; count < 5; count++)
      client.socket.send('x'.repeat(60 * 1024), { fin: false }, () => {})
    expect(await client.closed).toMatchObject({ code: 1009 })
  })

  it('text frames only', async () => {
    await start()
    const client = await server.connect()
    client.socket.send(Buffer.from('{}'))
    expect(await client.closed).toMatchObject({ code: 1003 })
  })

  it('UTF-8 and masked frames only', async () => {
    await start()
    const client = await server.connect()
    client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect(await client.closed).toMatchObject({ code: 1007 })
    const unmasked = await server.connect()
    unmasked.socket.send('{}', { mask: false })
    expect(await unmasked.closed).toMatchObject({ code: 1002 })
  })

  it('connections in total', async () => {
    await start({ connections: 2 })
    const clients = [await server.connect(), await server.connect()]
    const headers = { authorization: `Bearer ${server.main.key}` }
    const refused = await server.refusal('/ws', headers)
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32005 } })
    clients[0]?.socket.terminate()
    await eventually(() => server.server.counts().connections === 1)
    await server.connect()
  })

  it('connections per key', async () => {
    await start({ connectionsPerKey: 1 })
    const client = await server.connect()
    const headers = { authorization: `Bearer ${server.main.key}` }
    expect(await server.refusal('/ws', headers)).toMatchObject({ status: 429 })
    await server.connect((await server.newKey()).key)
    client.socket.close()
    await client.closed
    await eventually(() => server.server.counts().connections === 1)
    await server.connect()
  })

  it('messages: a burst, then errors, then disconnection', async () => {
    await start({ messageBurst: 3, messagesPerSecond: 0.001 })
    const client = await server.connect()
    for (let count = 0; count < 3; count++) client.send({ type: 'x' })
    for (let count = 0; count < 3; count++)
      expect(await client.next()).toMatchObject({ error: { code: -32600 } })
    expect(await client.ask({ type: 'x', id: 'a' })).toMatchObject({
      error: { code: -32005, data: { retry_after_seconds: expect.any(Number) } },
    })
    for (let count = 0; count < 100; count++) client.send({ type: 'x' })
    expect(await client.closed).toMatchObject({ code: 1008 })
  })
})

describe('a peer', () => {
  it('that does not answer pings is disconnected, one that does stays', async () => {
    await start({ heartbeatMs: 1_000 })
    const lively = await server.connect()
    const dead = await server.connect(server.main.key, { autoPong: false })
    expect(await dead.closed).toMatchObject({ code: 1006 })
    await lively.subscribe(await server.newTask())
    expect(server.server.counts().connections).toBe(1)
  })

  it('has no more updates wait for all its connections than for its key', async () => {
    const sockets: WebSocket[] = []
    const limit = 1024 * 1024
    const wrap = (socket: WebSocket) => {
      sockets.push(socket)
      return socket
    }
    await start({ bufferedBytesPerKey: limit }, { socket: wrap })
    const task = await server.newTask()
    const slow = await Promise.all(Array.from({ length: 4 }, () => server.connect()))
    for (const client of slow) {
      await client.subscribe(task)
      client.socket.pause()
    }
    const other = await server.newKey()
    const own = await server.newTask(other.id)
    const quick = await server.connect(other.key)
    await quick.subscribe(own)
    const padding = 'p'.repeat(64 * 1024)
    let most = 0
    for (let published = 0; server.server.counts().connections > 1; published += 1) {
      if (published === 2_000) throw new Error('the slow ones are still there')
      server.updates.publish(task, updateOf(task, padding))
      await new Promise((done) => setTimeout(done, 1))
      most = Math.max(
        most,
        sockets.reduce((sum, each) => sum + each.bufferedAmount, 0),
      )
    }
    expect(most).toBeLessThan(limit + slow.length * 2 * padding.length)
    server.updates.publish(own, updateOf(own, 'here'))
    await expect.poll(() => JSON.stringify(quick.heard)).toContain('"here"')
  })

  it('that does not read is disconnected, while others are served', async () => {
    await start({ bufferedBytes: 256 * 1024 })
    const task = await server.newTask()
    const [quick, slow] = [await server.connect(), await server.connect()]
    await quick.subscribe(task)
    await slow.subscribe(task)
    slow.socket.pause()
    let published = 0
    const padding = 'p'.repeat(64 * 1024)
    while (server.server.counts().connections === 2) {
      if (published === 2_000) throw new Error('the slow one is still there')
      published += 1
      server.updates.publish(task, updateOf(task, padding))
      await new Promise((done) => setTimeout(done, 1))
    }
    await server.finish(task)
    await eventually(
      () =>
        quick.heard.filter(({ result }) => (result as { event?: string })?.event === 'success')
          .length === 1,
    )
    // All of them: the response to subscribe, the first state, the published updates, the end.
    expect(quick.heard).toHaveLength(published + 3)
    expect(server.log.join('')).toMatch(/"code":10(13|06)/)
  })

  it('that disconnects during its handshake leaves nothing behind', async () => {
    await start()
    for (let count = 0; count < 20; count++) {
      const socket = connectTcp(server.listener.port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
          `Authorization: Bearer ${server.main.key}\r\n\r\n`,
      )
      socket.resetAndDestroy()
    }
    await server.connect()
    await eventually(() => server.server.counts().connections === 1)
  })
})

describe('memory', () => {
  it('is free of tasks, subscriptions and connections after clients disconnect', async () => {
    await start()
    const tasks = await Promise.all(Array.from({ length: 10 }, () => server.newTask()))
    const clients = await Promise.all(Array.from({ length: 10 }, () => server.connect()))
    for (const client of clients) for (const task of tasks) await client.subscribe(task)
    expect(server.server.counts()).toEqual({ connections: 10, subscriptions: 100, tasks: 10 })
    await server.finish(tasks[0] as `0x${string}`)
    for (const client of clients) client.socket.terminate()
    await eventually(() => server.server.counts().connections === 0)
    expect(server.server.counts()).toEqual({ connections: 0, subscriptions: 0, tasks: 0 })
    expect(server.updates.kept.topics).toBe(0)
  })

  it('subscriptions expire some time after their tasks', async () => {
    await start({ lingerMs: 50, pollMs: 20 })
    const client = await server.connect()
    const task = await server.newTask()
    const subscription = await client.subscribe(task)
    await server.finish(task)
    await eventually(() => server.server.counts().subscriptions === 0)
    expect(server.server.counts().tasks).toBe(0)
    expect(await client.ask({ type: 'unsubscribe', id: 'u', subscription })).toMatchObject({
      type: 'unsubscribed',
    })
  })
})
