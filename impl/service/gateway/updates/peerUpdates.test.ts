import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorResponse, TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engines } from '../../store/engines.fixture.ts'
import type { Store } from '../../store/openStore.ts'
import { openEmptyStore } from '../../store/testing/openEmptyStore.ts'
import { createKnownUpdates } from './knownUpdates.ts'
import { completed, readMessage, writeMessage } from './peerMessages.ts'
import { type Client, openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

const id: Bytes32 = `0x${'ab'.repeat(32)}`
const response = (at: number, error = 'e'.repeat(100)): OperatorResponse => ({
  operator_address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  operator_id: `0x${at.toString(16).padStart(64, '0')}`,
  phase: 'data',
  success: false,
  error,
  timestamp: '2026-01-01T00:00:00.000Z',
})
const updateWith = (
  task_id: Bytes32,
  operator_responses: OperatorResponse[],
  progress = 50,
): TaskUpdate => ({
  event: 'operator_response',
  task_id,
  timestamp: 1,
  data: { status: 'processing', operator_responses, result: null, progress },
})

const url = engines.find(({ name }) => name === 'server')?.url

describe.runIf(url !== undefined)('two gateways on one server', () => {
  let store: Store
  /** Executes the tasks. */
  let worker: TestUpdateServer
  /** Has the subscribers. */
  let other: TestUpdateServer
  let client: Client

  beforeAll(async () => {
    store = await openEmptyStore(url)
    worker = await openUpdateServer({ shared: store })
    const pollMs = 20
    other = await openUpdateServer({ shared: store, limits: { pollMs } })
    await vi.waitUntil(() => other.elsewhere?.isOpen(), { timeout: 30_000 })
    // A gateway looks at the store once the channel is open; it could see an end before its updates.
    await new Promise((resolve) => setTimeout(resolve, 5 * pollMs))
    client = await other.connect(worker.main.key)
  })
  afterAll(async () => {
    await worker?.close()
    await other?.close()
    await store?.close()
  })

  const heard = (subscription: string) =>
    client.heard
      .filter((message) => message.subscription === subscription && 'result' in message)
      .map(({ type, result }) => {
        const { event, data } = result as { event?: string; data?: { progress: number } }
        return type === 'update' ? `${event} ${data?.progress}` : String(type)
      })
  const responsesIn = (subscription: string) =>
    client.heard
      .filter((each) => each.subscription === subscription && each.type === 'update')
      .map(({ result }) => (result as TaskUpdate).data.operator_responses.length)

  it('exchange updates in order, and none after the end', async () => {
    const task = await worker.newTask()
    const subscription = await client.subscribe(task)
    worker.publish(task, 'status_update', 10)
    for (const progress of [20, 30, 40]) worker.publish(task, 'operator_response', progress)
    await worker.finish(task, 'failed')
    worker.publish(task, 'status_update', 10)
    const all = [
      'status_update 0',
      'status_update 10',
      ...[20, 30, 40].map((progress) => `operator_response ${progress}`),
      'failure 100',
      'notification',
    ]
    await expect.poll(() => heard(subscription)).toEqual(all)
    const next = await worker.newTask()
    const later = await client.subscribe(next)
    await worker.finish(next)
    await expect.poll(() => heard(later)).toEqual(['status_update 0', 'success 100'])
    expect(heard(subscription)).toEqual(all)
  })

  it('send a late subscriber the latest state immediately', async () => {
    const task = await worker.newTask()
    worker.publish(task, 'operator_response', 40)
    await expect.poll(() => other.elsewhere?.latest(task)?.data.progress).toBe(40)
    const subscription = await client.subscribe(task)
    expect(await client.ask({ type: 'unsubscribe', id: task, subscription })).toBeDefined()
    expect(heard(subscription)).toEqual(['operator_response 40'])
    await worker.finish(task)
    await expect.poll(() => other.elsewhere?.latest(task)).toBeUndefined()
  })

  it('do not expose tasks of another key', async () => {
    const task = await worker.newTask((await worker.newKey()).id)
    worker.publish(task, 'operator_response', 40)
    await expect.poll(() => other.elsewhere?.latest(task)).toBeDefined()
    const method = `${defaultBrand.topicPrefix}${task}`
    expect(await client.ask({ type: 'subscribe', id: 'of another', method })).toMatchObject({
      error: { message: 'Unknown task' },
    })
  })

  it('omit an update too large for the channel, and send its responses with the end', async () => {
    const task = await worker.newTask()
    const subscription = await client.subscribe(task)
    const responses = Array.from({ length: 100 }, (_, at) => response(at))
    const counts = responses.map((_, at) => at + 1)
    for (const count of counts)
      worker.updates.publish(task, {
        kind: 'update',
        update: updateWith(task, responses.slice(0, count)),
      })
    await worker.finish(task)
    await expect.poll(() => heard(subscription).at(-1)).toBe('success 100')
    expect(responsesIn(subscription)).toEqual([0, ...counts, 100])
  })

  it('never report decreasing progress, even after a takeover', async () => {
    const task = await worker.newTask()
    const subscription = await client.subscribe(task)
    worker.publish(task, 'operator_response', 60)
    await expect.poll(() => heard(subscription).at(-1)).toBe('operator_response 60')
    other.publish(task, 'status_update', 10)
    await other.finish(task)
    await expect
      .poll(() => heard(subscription))
      .toEqual(['status_update 0', 'operator_response 60', 'status_update 60', 'success 100'])
  })

  it('recover updates missed while the connection was broken', async () => {
    const task = await worker.newTask()
    const subscription = await client.subscribe(task)
    await store.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and query ilike 'listen%'`,
    )
    await worker.storeEnd(task, 'success')
    await expect.poll(() => heard(subscription).at(-1)).toBe('success 100')
    await expect.poll(() => other.elsewhere?.isOpen()).toBe(true)
    const next = await worker.newTask()
    const later = await client.subscribe(next)
    await expect
      .poll(() => {
        worker.publish(next, 'operator_response', 40)
        return heard(later).at(-1)
      })
      .toBe('operator_response 40')
  })

  it('ignore invalid messages', async () => {
    const task = await worker.newTask()
    const subscription = await client.subscribe(task)
    const news = { kind: 'update', update: { task_id: task, data: { progress: 99 } } }
    for (const text of ['', '{', 'null', '[]', JSON.stringify({ sender: 'x', number: 1, news })])
      await store.database.query(`select pg_notify('updates_' || md5(current_schema()), $1)`, [
        text,
      ])
    await worker.finish(task)
    await expect.poll(() => heard(subscription)).toEqual(['status_update 0', 'success 100'])
  })
})

describe('a peer message', () => {
  const written = (update: TaskUpdate) =>
    writeMessage({ sender: 'a', number: 1, news: { kind: 'update', update } })

  it('survives a round trip', () => {
    const update = updateWith(id, [response(1)])
    expect(readMessage(written(update)!)).toEqual({
      sender: 'a',
      number: 1,
      news: { kind: 'update', update },
    })
  })

  it('without all responses is completed only by a receiver that has the others', () => {
    const responses = Array.from({ length: 60 }, (_, at) => response(at))
    const update = updateWith(id, responses)
    const { news } = readMessage(written(update)!)!
    if (news.kind !== 'update') throw new Error('no update')
    expect(news.of).toBe(60)
    expect(completed(news, updateWith(id, responses.slice(0, 59)))).toEqual(update)
    expect(completed(news, updateWith(id, responses.slice(0, 58)))).toBeUndefined()
    expect(completed(news, undefined)).toBeUndefined()
  })

  it('is not sent if a single response is too large', () => {
    expect(written(updateWith(id, [response(1, 'x'.repeat(8_000))]))).toBeUndefined()
    expect(written(updateWith(id, [response(1, '\u{1f600}'.repeat(2_000))]))).toBeUndefined()
  })
})

it('bounds the memory of tasks whose end is never received', () => {
  const known = createKnownUpdates(10_000)
  for (let at = 0; at < 1_000; at++)
    known.set(`0x${at}`, updateWith(`0x${at}`, []), at === 999 ? 500 : 1_000)
  expect(known.size()).toBe(10)
  expect(known.get('0x989')).toBeUndefined()
  expect(known.get('0x999')).toBeDefined()
  known.set('0xhuge', updateWith(id, []), 20_000)
  expect(known.size()).toBe(0)
})
