import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import { latestOutcomes, searchTasks } from './taskSearch.ts'
import { type AdmitOptions, taskQueries } from './tasks.ts'
import { explaining } from './testing/explaining.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const hashOf = (n: number): Bytes32 => `0x${n.toString(16).padStart(64, '0')}`
const client = '0xABcDEF0000000000000000000000000000000001'
const failed: TaskResult = {
  status: 'failed',
  aggregation_response: null,
  error: 'e',
  timestamp: 1,
}

const notification = (task_id: Bytes32, id = 'n-1'): TaskFailureNotification => ({
  notification_id: id,
  task_id,
  timestamp: '2026-11-21T00:00:00.000Z',
  failure_type: 'timeout',
  error_message: 'Task timeout',
  context: {},
  is_recoverable: true,
  retry_after_seconds: null,
})

describe.each(engines)('tasks on the $name engine', ({ url }) => {
  let now = 1_800_000_000_000
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url, { clock: () => now })
  })
  afterAll(() => store.close())
  beforeEach(() => store.database.execute('truncate tasks, notifications'))

  const options = (members: Partial<AdmitOptions> = {}): AdmitOptions => ({
    policyClient: client,
    intentHash: hashOf(1),
    idFor: (nonce) => hashOf(1000 + nonce),
    referenceBlock: 7,
    method: 'createTask',
    apiKeyId: 'key',
    request: { policy_client: client },
    deadline: new Date(now + 30_000),
    ...members,
  })
  const admit = async (members: Partial<AdmitOptions> = {}) => {
    const admission = await store.tasks.admit(options(members))
    if (admission.outcome !== 'admitted') throw new Error('duplicate')
    return admission.task
  }

  it('are admitted as pending with everything a restart needs', async () => {
    const task = await admit()
    expect(task).toEqual({
      id: hashOf(1000),
      policyClient: client.toLowerCase(),
      intentHash: hashOf(1),
      nonce: 0,
      referenceBlock: 7,
      status: 'pending',
      method: 'createTask',
      apiKeyId: 'key',
      request: { policy_client: client },
      deadline: new Date(now + 30_000),
      createdAt: new Date(now),
      updatedAt: new Date(now),
      finishedAt: null,
      result: null,
      error: null,
      operatorErrors: null,
      operatorResponses: null,
    })
    expect(await store.tasks.get(task.id)).toEqual(task)
    expect(await store.tasks.get(hashOf(7))).toBeUndefined()
  })

  it('are duplicates while one of the same client and intent is pending or processing', async () => {
    const { id } = await admit()
    const other = client.toLowerCase() as `0x${string}`
    const again = () => store.tasks.admit(options({ policyClient: other }))
    expect(await again()).toEqual({ outcome: 'duplicate', existing: id })
    await store.tasks.markProcessing(id)
    expect(await again()).toEqual({ outcome: 'duplicate', existing: id })
    await store.tasks.finish(id, { status: 'success', result: failed })
    expect(await again()).toMatchObject({ outcome: 'admitted', task: { nonce: 1 } })
  })

  it('have a nonce per client and intent hash', async () => {
    const nonces: number[] = []
    for (let n = 0; n < 3; n++) {
      const task = await admit()
      nonces.push(task.nonce)
      await store.tasks.finish(task.id, { status: 'failed', result: failed })
    }
    const otherHash = await admit({ intentHash: hashOf(2), idFor: () => hashOf(2) })
    const otherClient = await admit({
      policyClient: `0x${'22'.repeat(20)}`,
      idFor: () => hashOf(3),
    })
    expect([...nonces, otherHash.nonce, otherClient.nonce]).toEqual([0, 1, 2, 0, 0])
  })

  it('are admitted once by concurrent callers', async () => {
    const admissions = await Promise.all(
      Array.from({ length: 20 }, () => store.tasks.admit(options())),
    )
    expect(admissions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(1)
  })

  it('are not stored when their id cannot be computed', async () => {
    const broken = () => {
      throw new Error('no id')
    }
    await expect(store.tasks.admit(options({ idFor: broken }))).rejects.toThrow('no id')
    expect(await store.tasks.listUnfinished()).toEqual([])
    expect((await admit()).nonce).toBe(0)
  })

  it('go from pending to processing, once', async () => {
    const { id } = await admit()
    now += 5
    expect(await store.tasks.markProcessing(id)).toBe(true)
    expect(await store.tasks.markProcessing(id)).toBe(false)
    expect(await store.tasks.get(id)).toMatchObject({
      status: 'processing',
      updatedAt: new Date(now),
    })
    await store.tasks.finish(id, { status: 'timeout', result: failed })
    expect(await store.tasks.markProcessing(id)).toBe(false)
  })

  it('end once, whatever follows', async () => {
    const { id } = await admit()
    expect(await store.tasks.finish(id, { status: 'success', result: failed })).toBe(true)
    const ended = await store.tasks.get(id)
    const second = {
      status: 'failed',
      result: failed,
      error: 'late',
      notification: notification(id),
    }
    expect(await store.tasks.finish(id, { ...second, status: 'failed' })).toBe(false)
    expect(await store.tasks.get(id)).toEqual(ended)
    expect(await store.notifications.forTask(id)).toEqual([])
    expect(await store.tasks.finish(hashOf(99), { status: 'failed', result: failed })).toBe(false)
  })

  it('have one end and one notification under concurrent ends', async () => {
    const { id } = await admit()
    const ends = await Promise.all(
      ['n-1', 'n-2', 'n-3'].map((name) =>
        store.tasks.finish(id, {
          status: 'failed',
          result: failed,
          notification: notification(id, name),
        }),
      ),
    )
    expect(ends.filter(Boolean)).toHaveLength(1)
    expect(await store.notifications.forTask(id)).toHaveLength(1)
  })

  it('store result, error and operator errors unchanged, with any content', async () => {
    const { id } = await admit()
    const message = 'é\u0000\ud800"\\\u2028'
    const operatorErrors = [
      {
        operator_address: `0x${'11'.repeat(20)}`,
        operator_id: hashOf(5),
        error_code: -32615,
        message,
        timestamp: 't',
        retryable: false,
      },
    ] as const
    const result: TaskResult = { ...failed, error: message, operator_errors: [...operatorErrors] }
    await store.tasks.finish(id, { status: 'failed', result, error: message, operatorErrors })
    const task = await store.tasks.get(id)
    expect(task).toMatchObject({
      result,
      operatorErrors,
      status: 'failed',
      finishedAt: new Date(now),
    })
    expect(task?.error).toContain('é')
  })

  it('end together with their notification, or not at all', async () => {
    const first = await admit()
    const end = (id: Bytes32) =>
      store.tasks.finish(id, { status: 'failed', result: failed, notification: notification(id) })
    await end(first.id)
    expect(await store.notifications.forTask(first.id)).toMatchObject([
      // No webhook of the key subscribes to it, so nothing is left to do.
      { apiKeyId: 'key', payload: notification(first.id), attempts: 0, outcome: 'unwanted' },
    ])
    const second = await admit()
    // The id of the notification is taken, so the end of the task must roll back too.
    await expect(end(second.id)).rejects.toThrow()
    expect(await store.tasks.get(second.id)).toMatchObject({ status: 'pending', result: null })
  })

  it('are listed while unfinished, oldest first', async () => {
    const ids: Bytes32[] = []
    for (const n of [3, 1, 2]) {
      now += 1
      ids.push((await admit({ intentHash: hashOf(n), idFor: () => hashOf(n) })).id)
    }
    await store.tasks.markProcessing(ids[1]!)
    await store.tasks.finish(ids[2]!, { status: 'failed', result: failed })
    expect((await store.tasks.listUnfinished()).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(await store.tasks.listUnfinished(1)).toHaveLength(1)
  })

  it('are listed newest first by an index, however many there are', async () => {
    await store.database.query(
      `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
         deadline, created_at, updated_at, finished_at)
       select 't' || n, 'c' || n % 10, 'h' || n, 0, 'failed', 'createTask', 'key', '{}', at, at, at, at
       from (select n, to_timestamp(n) as at from generate_series(1, 5000) n) as given`,
    )
    await store.database.execute('analyze tasks')
    const plans: string[] = []
    const explained = explaining(store.database, (plan) => plans.push(plan))
    const page = { limit: 51, offset: 100 }
    await searchTasks(explained, page)
    await searchTasks(explained, { ...page, status: 'failed' })
    await latestOutcomes(explained, 1_000)
    await searchTasks(explained, { ...page, policyClient: 'c1' })
    await taskQueries(explained, () => now).latestOfClient('c1' as Address, 100)
    expect(
      plans.map((plan) =>
        [...plan.matchAll(/Scan Backward using (tasks_\w+)/g)].map(([, name]) => name),
      ),
    ).toEqual([
      ['tasks_newest'],
      ['tasks_newest'],
      ['tasks_newest'],
      ['tasks_of_client'],
      ['tasks_of_client'],
    ])
  })
})
