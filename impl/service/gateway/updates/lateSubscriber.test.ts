import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedTasks, type TaskSource } from './taskSource.ts'
import { type Client, openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
/** Called before a result of the store is returned, to run code during the query. */
let meanwhile: (() => Promise<void>) | undefined
let whileReading: (() => Promise<void>) | undefined
let reads = 0
async function slowly<T>(work: () => Promise<T>): Promise<T> {
  reads += 1
  const before = whileReading
  whileReading = undefined
  await before?.()
  const answer = await work()
  const after = meanwhile
  meanwhile = undefined
  await after?.()
  return answer
}

beforeAll(async () => {
  let stored: TaskSource
  server = await openUpdateServer({
    deps: {
      tasks: {
        get: (id) => slowly(() => stored.get(id)),
        ended: (ids) => stored.ended(ids),
        notifications: (id) => stored.notifications(id),
      },
    },
    limits: { pollMs: 20 },
  })
  stored = storedTasks(server.store)
})
afterAll(() => server.close())

/** The messages of a subscription up to the response to a further request. */
async function heardBy(client: Client, subscription: string): Promise<string[]> {
  await client.ask({ type: 'unsubscribe', id: `x${Math.random()}`, subscription })
  return client.heard
    .filter((message) => message.subscription === subscription && 'result' in message)
    .map(({ type, result }) => {
      const { event, data } = result as { event?: string; data?: { progress: number } }
      return type === 'update' ? `${event} ${data?.progress}` : String(type)
    })
}

describe('a late subscriber', () => {
  it('of a task in flight receives its latest state immediately, then later updates', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    server.publish(id, 'status_update', 10)
    server.publish(id, 'operator_response', 40)
    const subscription = await client.subscribe(id)
    server.publish(id, 'operator_response', 60)
    await server.finish(id)
    expect(await heardBy(client, subscription)).toEqual([
      'operator_response 40',
      'operator_response 60',
      'success 100',
    ])
  })

  it('of a success receives it as stored', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    await server.finish(id)
    const subscription = await client.subscribe(id)
    await client.next()
    expect(await client.next()).toEqual({
      type: 'update',
      subscription,
      result: {
        event: 'success',
        task_id: id,
        timestamp: expect.any(Number),
        data: {
          status: 'success',
          operator_responses: [],
          progress: 100,
          result: {
            task_id: id,
            status: 'success',
            aggregation_response: null,
            timestamp: 1_800_000_000,
          },
        },
      },
    })
  })

  it.each(['success', 'failed'] as const)(
    'receives the operator responses of an ended task: %s',
    async (status) => {
      const client = await server.connect()
      const id = await server.newTask()
      const operatorResponses = [0, 1].map((at) => ({
        operator_address: `0x${'11'.repeat(20)}` as const,
        operator_id: `0x${'22'.repeat(32)}` as const,
        phase: 'data' as const,
        success: at === 0,
        error: at === 0 ? null : 'down',
        timestamp: '2026-11-22T17:00:00.000Z',
      }))
      const result = { task_id: id, status, aggregation_response: null, timestamp: 1 }
      await server.store.tasks.finish(id, { status, result, operatorResponses })
      await client.subscribe(id)
      await client.next()
      expect(await client.next()).toMatchObject({
        type: 'update',
        result: { data: { status, operator_responses: operatorResponses } },
      })
    },
  )

  it('of a failure receives it and the stored notification, in full', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    const notification = await server.finish(id, 'failed')
    const subscription = await client.subscribe(id)
    await client.next()
    expect(await client.next()).toMatchObject({ type: 'update', result: { event: 'failure' } })
    expect(await client.next()).toEqual({
      type: 'notification',
      subscription,
      result: notification,
    })
  })

  it('may write a task id in upper case', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    await server.finish(id)
    const subscription = await client.subscribe(`0x${id.slice(2).toUpperCase()}`)
    expect(await heardBy(client, subscription)).toEqual(['success 100'])
  })
})

describe('during the query of the store', () => {
  it.each(['success', 'failed'] as const)(
    'an end (%s) is neither lost nor sent twice',
    async (end) => {
      for (const place of ['before the row is read', 'after it was read'] as const) {
        const client = await server.connect()
        const id = await server.newTask()
        server.publish(id, 'status_update', 10)
        const finish = async () => void (await server.finish(id, end))
        if (place === 'before the row is read') whileReading = finish
        else meanwhile = finish
        const subscription = await client.subscribe(id)
        expect(await heardBy(client, subscription), place).toEqual(
          end === 'success' ? ['success 100'] : ['failure 100', 'notification'],
        )
      }
    },
  )

  it('an end that is stored first and published later is sent once', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    const notification = server.notificationOf(id)
    whileReading = () => server.storeEnd(id, 'failed', notification)
    const subscription = await client.subscribe(id)
    server.publish(id, 'failure', 100)
    server.updates.publish(id, { kind: 'notification', notification })
    expect(await heardBy(client, subscription)).toEqual(['failure 100', 'notification'])
  })

  it('a subscriber after the end does not get a result from before it', async () => {
    const [early, late] = [await server.connect(), await server.connect()]
    const id = await server.newTask()
    server.publish(id, 'status_update', 10)
    let second = ''
    meanwhile = async () => {
      await server.finish(id)
      second = await late.subscribe(id)
    }
    const first = await early.subscribe(id)
    expect(await heardBy(early, first)).toEqual(['success 100'])
    expect(await heardBy(late, second)).toEqual(['success 100'])
  })

  it('the store is queried once for all subscribers of a task in flight', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => server.connect()))
    const id = await server.newTask()
    server.publish(id, 'status_update', 10)
    reads = 0
    const first = await clients[0]!.subscribe(id)
    const later = await Promise.all(clients.slice(1).map((client) => client.subscribe(id)))
    expect(reads).toBe(1)
    expect(
      await server
        .newKey()
        .then(({ key }) => server.connect(key))
        .then((stranger) =>
          stranger.ask({ type: 'subscribe', id: 'a', method: `${defaultBrand.topicPrefix}${id}` }),
        ),
    ).toMatchObject({ error: { message: 'Unknown task' } })
    await server.finish(id)
    for (const [at, subscription] of [first, ...later].entries())
      expect(await heardBy(clients[at]!, subscription)).toEqual(['status_update 10', 'success 100'])
  })

  it('updates covered by the latest state are not repeated', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    meanwhile = async () => {
      server.publish(id, 'operator_response', 20)
      server.publish(id, 'operator_response', 40)
    }
    const subscription = await client.subscribe(id)
    server.publish(id, 'operator_response', 60)
    expect(await heardBy(client, subscription)).toEqual([
      'operator_response 40',
      'operator_response 60',
    ])
  })
})

describe('a task on another gateway', () => {
  it('is detected as ended in the store', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    const notification = server.notificationOf(id)
    await client.subscribe(id)
    await server.storeEnd(id, 'failed', notification)
    await client.next()
    expect(await client.next()).toMatchObject({ result: { event: 'status_update' } })
    expect(await client.next()).toMatchObject({ result: { event: 'failure' } })
    expect(await client.next()).toMatchObject({ type: 'notification', result: notification })
  })
})

describe('after the end', () => {
  it('a failed posting is still sent', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    const subscription = await client.subscribe(id)
    await server.finish(id)
    const notification = server.notificationOf(id)
    server.updates.publish(id, { kind: 'notification', notification })
    server.publish(id, 'status_update', 10)
    expect(await heardBy(client, subscription)).toEqual([
      'status_update 0',
      'success 100',
      'notification',
    ])
  })
})
