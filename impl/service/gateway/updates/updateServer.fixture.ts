import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { type Clock, systemClock } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32, Hex } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { WebSocket } from 'ws'
import type { KeyPermission } from '../../store/keyOptions.ts'
import type { Store } from '../../store/openStore.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'
import { createTaskUpdates } from '../../tasks/taskUpdates.ts'
import { serve } from '../serve.ts'
import { defaultUpdateLimits, type UpdateLimits } from './limits.ts'
import { createPeerUpdates } from './peerUpdates.ts'
import { storedTasks } from './taskSource.ts'
import { createUpdateServer, type UpdateServerDeps } from './updateServer.ts'

type Json = Record<string, unknown>

const bytes32 = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, '0')}` as Hex

/** A client that records its messages. */
export type Client = {
  readonly socket: WebSocket
  readonly heard: Json[]
  send(message: unknown): void
  /** The next unread message. */
  next(): Promise<Json>
  /** Sends a request and returns the response with the same id; earlier messages stay unread. */
  ask(message: Json): Promise<Json>
  /** Subscribes; returns the subscription id. */
  subscribe(taskId: string): Promise<string>
  readonly closed: Promise<{ code: number; reason: string }>
}

function clientOf(socket: WebSocket): Client {
  const heard: Json[] = []
  const wakers = new Set<() => void>()
  let taken = 0
  const wake = () => {
    for (const waker of [...wakers]) waker()
  }
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)) as Json)
    wake()
  })
  socket.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      wake()
    }),
  )
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = look()
        if (found === undefined && socket.readyState !== WebSocket.CLOSED) return
        wakers.delete(check)
        if (found === undefined) reject(new Error('closed before the message came'))
        else resolve(found)
      }
      wakers.add(check)
      check()
    })
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const ask = (message: Json) => {
    send(message)
    return until(() => heard.find(({ id }) => id === message.id))
  }
  return {
    socket,
    heard,
    closed,
    send,
    ask,
    next: () => until(() => (taken < heard.length ? heard[taken++] : undefined)),
    async subscribe(taskId) {
      const method = `${defaultBrand.topicPrefix}${taskId}`
      const answer = await ask({ type: 'subscribe', id: randomUUID(), method, params: null })
      if (answer.type !== 'subscribed') throw new Error(JSON.stringify(answer))
      return answer.subscription as string
    },
  }
}

export type FixtureOptions = {
  readonly limits?: Partial<UpdateLimits>
  readonly deps?: Partial<UpdateServerDeps>
  readonly clock?: Clock
  /**
   * A store shared by several servers, which the caller closes; each server is then a separate
   * gateway.
   */
  readonly shared?: Store
}

/** Tasks created so far, for ids that are unique across servers with a shared store. */
let made = 0

/** The WebSocket on a real listener, with an in-memory store and artificial tasks. */
export async function openUpdateServer({
  limits,
  deps,
  clock = systemClock,
  shared,
}: FixtureOptions = {}) {
  const store = shared ?? (await openTestStore({ clock }))
  const updates = createTaskUpdates((error) => {
    throw error
  })
  const openChannel = shared?.database.openChannel
  const elsewhere = openChannel && createPeerUpdates({ openChannel, updates, sender: randomUUID() })
  const log: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      log.push(String(chunk))
      done()
    },
  })
  const server = createUpdateServer({
    brand: defaultBrand,
    apiKeys: store.apiKeys,
    updates,
    elsewhere,
    tasks: storedTasks(store),
    limits: { ...defaultUpdateLimits, ...limits },
    corsOrigins: [],
    clock,
    uuid: randomUUID,
    logger: pino({ level: 'trace' }, sink),
    ...deps,
  })
  const app = new Hono().post('/rpc', async (c) => c.text(`rpc ${await c.req.text()}`))
  app.notFound((c) => c.text('Not Found\n', 404))
  const listener = await serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  server.attach(listener.server)
  const base = listener.url.replace('http', 'ws')
  const clients: WebSocket[] = []

  const newKey = async (permissions: KeyPermission[] = ['rpc'], expiresAt?: Date) => {
    const created = await store.apiKeys.create({ name: 'test', permissions, expiresAt })
    return { key: created.key, id: created.record.id }
  }
  const main = await newKey()

  const dial = (path: string, headers: Record<string, string> = {}, options: object = {}) => {
    const socket = new WebSocket(`${base}${path}`, { headers, ...options })
    clients.push(socket)
    return clientOf(socket)
  }

  /** An open connection. */
  const connect = async (key = main.key, options: object = {}): Promise<Client> => {
    const client = dial('/ws', { authorization: `Bearer ${key}` }, options)
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', () => resolve())
      client.socket.once('error', reject)
    })
    return client
  }

  /** The rejection of a handshake. */
  const refusal = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: Json; body: string }>((resolve, reject) => {
      const { socket } = dial(path, headers)
      socket.once('open', () => reject(new Error('the handshake was accepted')))
      socket.once('unexpected-response', (_, response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += String(chunk)
        })
        response.once('end', () => {
          socket.terminate()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        })
      })
    })

  /** A pending task, as stored by `sendTask`. */
  const newTask = async (apiKeyId = main.id): Promise<Bytes32> => {
    made += 1
    const id = bytes32(made)
    await store.tasks.admit({
      policyClient: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      intentHash: bytes32(made),
      idFor: () => id,
      method: 'sendTask',
      apiKeyId,
      request: {},
      deadline: new Date(Date.now() + 60_000),
    })
    return id
  }

  const updateOf = (id: Bytes32, event: TaskUpdate['event'], progress = 50): TaskUpdate => ({
    event,
    task_id: id,
    timestamp: 1_800_000_000,
    data: {
      status: event === 'success' ? 'success' : event === 'failure' ? 'failed' : 'processing',
      operator_responses: [],
      result: null,
      progress,
    },
  })

  const publish = (id: Bytes32, event: TaskUpdate['event'], progress?: number) =>
    updates.publish(id, { kind: 'update', update: updateOf(id, event, progress) })

  const notificationOf = (id: Bytes32): TaskFailureNotification => ({
    notification_id: randomUUID(),
    task_id: id,
    timestamp: new Date().toISOString(),
    failure_type: 'quorum_not_reached',
    error_message: 'no quorum',
    context: { signed_stake: '1', required_stake: '2', operator_count: 1 },
    is_recoverable: true,
    retry_after_seconds: 5,
  })

  const storeEnd = async (
    id: Bytes32,
    status: 'success' | 'failed',
    notification?: TaskFailureNotification,
  ) => {
    const result: TaskResult = {
      task_id: id,
      status,
      aggregation_response: null,
      timestamp: 1_800_000_000,
    }
    await store.tasks.finish(id, { status, result, notification })
  }

  return {
    store,
    updates,
    elsewhere,
    server,
    listener,
    log,
    main,
    base,
    newKey,
    dial,
    connect,
    refusal,
    newTask,
    publish,
    notificationOf,
    /** Ends a task in the store only. */
    storeEnd,
    /** Ends a task in the store, then publishes it. */
    async finish(id: Bytes32, status: 'success' | 'failed' = 'success') {
      const notification = status === 'failed' ? notificationOf(id) : undefined
      await storeEnd(id, status, notification)
      publish(id, status === 'success' ? 'success' : 'failure', 100)
      if (notification !== undefined) updates.publish(id, { kind: 'notification', notification })
      return notification
    },
    async close() {
      for (const socket of clients) socket.terminate()
      await server.close()
      await listener.close()
      await elsewhere?.close()
      if (shared === undefined) await store.close()
    },
  }
}

export type TestUpdateServer = Awaited<ReturnType<typeof openUpdateServer>>
