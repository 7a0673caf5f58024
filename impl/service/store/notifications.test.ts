import { randomUUID } from 'node:crypto'
import type { FailureType } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import { type AttemptEnd, insertNotification, notificationQueries } from './notifications.ts'
import type { Store } from './openStore.ts'
import { explaining } from './testing/explaining.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

describe.each(engines)('notifications on the $name engine', ({ url }) => {
  let now = 1_800_000_000_000
  let store: Store
  let task: Bytes32
  beforeAll(async () => {
    store = await openEmptyStore(url, { clock: () => now })
    const id: Bytes32 = `0x${'01'.repeat(32)}`
    await store.tasks.admit({
      policyClient: `0x${'ab'.repeat(20)}`,
      intentHash: id,
      idFor: () => id,
      method: 'createTask',
      apiKeyId: 'key',
      request: {},
      deadline: new Date(now),
    })
    task = id
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    await store.database.query('delete from notifications')
    await store.database.query('delete from webhooks')
    now += 1_000_000
  })

  it('are sent once, whether the clock goes forward or back by hours', async () => {
    const key = await keyWithWebhook()
    const [sending, waiting] = [await insert(key), await insert(key)]
    const claim = async (excluding: readonly string[] = []) =>
      (await store.notifications.claim({ limit: 10, perKey: 10, marginMs: 1, excluding })).map(
        ({ id }) => id,
      )
    expect((await claim()).sort()).toEqual([sending, waiting].sort())
    await store.notifications.release([waiting])
    now += 2 * 3_600_000
    expect(await claim([sending])).toEqual([waiting])
    // Claimed and due hours ahead, by a process that is gone.
    now -= 4 * 3_600_000
    expect(await claim([sending])).toEqual([waiting])
    now += 2 * 3_600_000
  })

  const keyWithWebhook = async (failureTypes: FailureType[] | null = null) => {
    const { record } = await store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
    const stored = await store.webhooks.put({
      apiKeyId: record.id,
      url: 'https://hooks.example/',
      sealedSecret: Buffer.from('sealed'),
      timeoutSeconds: 10,
      maxRetries: 3,
      failureTypes,
    })
    expect(stored).toBe(true)
    return record.id
  }
  const insert = async (apiKeyId: string, message = 'failed'): Promise<string> => {
    const id = randomUUID()
    await store.database.transaction((tx) =>
      insertNotification(
        tx,
        {
          notification_id: id,
          task_id: task,
          timestamp: new Date(now).toISOString(),
          failure_type: 'timeout',
          error_message: message,
          context: {},
          is_recoverable: false,
          retry_after_seconds: null,
        },
        apiKeyId,
        new Date(now),
      ),
    )
    return id
  }
  const record = async (id: string) =>
    (await store.notifications.forTask(task)).find((each) => each.id === id)
  const claim = (options: { limit?: number; perKey?: number; ofKey?: Map<string, number> } = {}) =>
    store.notifications.claim({ limit: 100, perKey: 100, marginMs: 5_000, ...options })

  const end = (...ends: AttemptEnd[]) => store.notifications.endAttempts(ends)

  it('wait for a subscribed webhook, and are settled without one', async () => {
    const all = await insert(await keyWithWebhook())
    const some = await insert(await keyWithWebhook(['channel_error', 'timeout']))
    const others = await insert(await keyWithWebhook(['channel_error']))
    const none = await insert('key')
    const due = (await store.notifications.listDue()).map(({ id }) => id)
    expect(due.sort()).toEqual([all, some].sort())
    for (const id of [others, none])
      expect(await record(id)).toMatchObject({ outcome: 'unwanted', settledAt: new Date(now) })
    now -= 1
    expect(await store.notifications.listDue()).toEqual([])
    now += 1
  })

  it('are claimed once, with everything a delivery needs', async () => {
    const key = await keyWithWebhook(['timeout'])
    // PostgreSQL's JSON functions reject an escaped U+0000.
    const id = await insert(key, 'a \u0000 b \ud800 é')
    const claimed = await claim()
    expect(claimed).toMatchObject([
      {
        id,
        apiKeyId: key,
        attempts: 0,
        url: 'https://hooks.example/',
        timeoutSeconds: 10,
        maxRetries: 3,
        failureTypes: ['timeout'],
      },
    ])
    expect(Buffer.from(claimed[0]!.sealedSecret!).toString()).toBe('sealed')
    expect(claimed[0]!.body).toBe(JSON.stringify((await record(id))!.payload))
    expect(await claim()).toEqual([])
    now += 14_999
    expect(await claim()).toEqual([])
    now += 1
    expect(await claim()).toMatchObject([{ id, body: claimed[0]!.body }])
  })

  it('are claimed by concurrent callers, each once', async () => {
    const keys = [await keyWithWebhook(), await keyWithWebhook(), await keyWithWebhook()]
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push(await insert(keys[n % 3]!))
    const rounds = await Promise.all(
      Array.from({ length: 8 }, () => claim({ limit: 20, perKey: 7 })),
    )
    const rest = await claim()
    const claimed = [...rounds.flat(), ...rest].map(({ id }) => id)
    expect(claimed.sort()).toEqual(ids.sort())
    for (const round of rounds)
      for (const key of keys)
        expect(round.filter(({ apiKeyId }) => apiKeyId === key).length).toBeLessThanOrEqual(7)
  })

  it('are claimed oldest first, with a limit per key and in total', async () => {
    const [first, second] = [await keyWithWebhook(), await keyWithWebhook()]
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      ids.push(await insert(first))
      now += 1
    }
    const other = await insert(second)
    expect((await claim({ perKey: 2, limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect((await claim({ perKey: 2 })).map(({ id }) => id)).toEqual([...ids.slice(2, 4), other])
    expect(await claim({ ofKey: new Map([[first, 0]]) })).toEqual([])
    expect(await claim({ ofKey: new Map([[first, -3]]) })).toEqual([])
    expect((await claim({ ofKey: new Map([[first, 1]]) })).map(({ id }) => id)).toEqual([ids[4]])
  })

  it('are due again at their retry time, or never', async () => {
    const key = await keyWithWebhook()
    const [retried, delivered] = [await insert(key), await insert(key)]
    await claim()
    const retryAt = new Date(now + 100)
    await end(
      { id: retried, attempts: 1, error: 'x\u0000 "{,}\\ é', retryAt },
      { id: delivered, attempts: 1, error: null, outcome: 'delivered' },
    )
    await end()
    expect(await claim()).toEqual([])
    expect(await store.notifications.nextDue()).toEqual(retryAt)
    now += 100
    expect(await store.notifications.nextDue()).toBeUndefined()
    expect(await claim()).toMatchObject([{ id: retried, attempts: 1 }])
    expect(await record(delivered)).toMatchObject({ outcome: 'delivered', attempts: 1 })
    expect(await record(retried)).toMatchObject({ outcome: null, lastError: 'x\ufffd "{,}\\ é' })
  })

  it('stay settled when another attempt ends later', async () => {
    const id = await insert(await keyWithWebhook())
    await claim()
    await end({ id, attempts: 1, error: null, outcome: 'delivered' })
    const later = new Date(now + 1)
    await end({ id, attempts: 2, error: 'late', retryAt: later })
    await end({ id, attempts: 2, error: 'late', outcome: 'exhausted' })
    expect(await record(id)).toMatchObject({ outcome: 'delivered', attempts: 1, lastError: null })
  })

  it('are released without counting an attempt', async () => {
    const id = await insert(await keyWithWebhook())
    await claim()
    await store.notifications.release([])
    expect(await claim()).toEqual([])
    await store.notifications.release([id])
    expect(await claim()).toMatchObject([{ id, attempts: 0 }])
    await store.notifications.releaseAll()
    expect(await claim()).toMatchObject([{ id, attempts: 0 }])
  })

  it('are settled with the removal of their webhook or key', async () => {
    const [first, second, third] = [
      await keyWithWebhook(),
      await keyWithWebhook(),
      await keyWithWebhook(),
    ]
    const ids = [await insert(first), await insert(second), await insert(third)]
    expect(await store.webhooks.remove(first)).toBe('removed')
    expect(await store.webhooks.remove(first)).toBe('none')
    await store.apiKeys.delete(second)
    expect(await store.webhooks.get(second)).toBeUndefined()
    expect(await record(ids[0]!)).toMatchObject({ outcome: 'unwanted' })
    expect((await claim()).map(({ id }) => id)).toEqual([ids[2]])
    await store.notifications.settleOrphans()
    expect(await record(ids[1]!)).toMatchObject({ outcome: 'unwanted' })
    expect(await record(ids[2]!)).toMatchObject({ outcome: null })
  })

  it('are found by an index of unsettled rows, however many are settled', async () => {
    const key = await keyWithWebhook()
    await store.database.query(
      `insert into notifications (id, task_id, api_key_id, payload, created_at, next_attempt_at,
         settled_at, outcome)
       select 'old' || n, $1, $2, '{}', $3, $3, $3, 'delivered' from generate_series(1, 20000) n`,
      [task, key, new Date(now)],
    )
    const waiting = await insert(key)
    await store.database.execute('analyze notifications')
    const plan = await store.database.query<{ 'QUERY PLAN': string }>(
      `explain select id from notifications where api_key_id = '${key}' and settled_at is null
       and next_attempt_at <= now() order by next_attempt_at, id limit 4`,
    )
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/notifications_(of_key|due)/)
    expect(text).not.toContain('Seq Scan')
    expect((await claim()).map(({ id }) => id)).toEqual([waiting])

    let latest = ''
    const explained = explaining(store.database, (text) => {
      latest = text
    })
    await notificationQueries(explained, () => now).latest(200)
    expect(latest).toContain('Index Scan Backward using notifications_newest')
    expect(latest).not.toContain('Sort')
  })
})

describe.each(engines)('webhooks in the $name store', ({ url }) => {
  it('are one per key, and require the key', async () => {
    const store = await openEmptyStore(url)
    const { record } = await store.apiKeys.create({ name: 'test', permissions: ['rpc'] })
    const webhook = {
      apiKeyId: record.id,
      url: 'https://a.example/',
      sealedSecret: null,
      timeoutSeconds: 0.5,
      maxRetries: 0,
      failureTypes: null,
    }
    expect(await store.webhooks.put(webhook)).toBe(true)
    const next = { ...webhook, url: 'https://b.example/', failureTypes: ['timeout' as const] }
    expect(await store.webhooks.put(next)).toBe(true)
    expect(await store.webhooks.get(record.id)).toEqual({
      ...next,
      registeredAt: expect.any(Date),
    })
    expect(await store.webhooks.put({ ...webhook, apiKeyId: 'nobody' })).toBe(false)
    expect(await store.webhooks.get('nobody')).toBeUndefined()
    await store.close()
  })
})
