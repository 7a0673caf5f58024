import { randomUUID } from 'node:crypto'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { engines } from '../store/engines.fixture.ts'
import { type OutboxHarness, openOutbox } from './outbox.fixture.ts'
import { type Receiver, startReceiver } from './receiver.fixture.ts'
import { createWebhooks } from './webhooks.ts'

const patience = { timeout: 60_000, interval: 20 }
const cleanup = createCleanupStack()
afterEach(cleanup.close)

async function bedOf(options: Parameters<typeof openOutbox>[0] = {}): Promise<OutboxHarness> {
  const bed = await openOutbox(options)
  cleanup.defer(() => bed.close())
  return bed
}
async function receiverOf(): Promise<Receiver> {
  const receiver = await startReceiver()
  cleanup.defer(() => receiver.close())
  return receiver
}
const idsOf = ({ received }: Receiver) =>
  received.map(({ headers }) => headers['x-idempotency-key'] as string)

describe('a receiver that never answers', () => {
  it('delays its own key only, and has one connection once it is known to be silent', async () => {
    const bed = await bedOf({ limits: { total: 8, perKey: 2 } })
    const [dead, good] = [await receiverOf(), await receiverOf()]
    dead.reply('hang')
    const silent = await Promise.all(
      Array.from({ length: 6 }, () =>
        bed.key({ url: dead.url, timeout_seconds: 0.3, max_retries: 10 }),
      ),
    )
    for (const key of silent) for (let n = 0; n < 4; n++) await bed.fail(key)
    // Every silent receiver has timed out at least once.
    await expect.poll(() => dead.received.length, patience).toBeGreaterThan(24)
    const key = await bed.key({ url: good.url, timeout_seconds: 60 })
    const notifications = []
    for (let n = 0; n < 10; n++) notifications.push(await bed.fail(key))
    await expect.poll(() => good.received.length, patience).toBe(10)
    for (const each of notifications)
      await expect.poll(() => bed.outcome(each), patience).toBe('delivered')
    await expect.poll(() => dead.open(), patience).toBeLessThanOrEqual(4)
  })

  it('is abandoned after its retries, and the log contains no path', async () => {
    const bed = await bedOf()
    const dead = await receiverOf()
    dead.reply('hang')
    const url = `${dead.url}/path-token?query-token=1`
    const key = await bed.key({ url, timeout_seconds: 0.1, max_retries: 1 })
    const { task_id } = await bed.fail(key)
    const record = async () => (await bed.store.notifications.forTask(task_id))[0]
    await expect.poll(async () => (await record())?.outcome, patience).toBe('exhausted')
    expect(await record()).toMatchObject({ attempts: 2, lastError: 'no answer within 0.1 s' })
    expect(bed.logged.join()).toContain('webhook delivery abandoned')
    expect(bed.logged.join()).not.toContain('token')
  })
})

describe('a close', () => {
  it('aborts deliveries in flight without losing them: they are sent again with the same id', async () => {
    const bed = await bedOf()
    const receiver = await receiverOf()
    receiver.reply('hang')
    const notification = await bed.fail(await bed.key({ url: receiver.url, timeout_seconds: 60 }))
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    await bed.webhooks.close()
    await expect.poll(() => receiver.open(), patience).toBe(0)
    const [record] = await bed.store.notifications.forTask(notification.task_id)
    expect(record).toMatchObject({ attempts: 0, outcome: null })
    receiver.reply(200)
    await bed.restart()
    await expect.poll(() => bed.outcome(notification), patience).toBe('delivered')
    expect(idsOf(receiver)).toEqual([notification.notification_id, notification.notification_id])
    expect(receiver.received[1]!.body).toEqual(receiver.received[0]!.body)
  })

  it('waits briefly for responses in flight', async () => {
    const bed = await bedOf()
    const receiver = await receiverOf()
    receiver.reply((response) => void setTimeout(() => response.writeHead(200).end(), 50))
    const notification = await bed.fail(await bed.key({ url: receiver.url }))
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    await bed.webhooks.close()
    await bed.webhooks.close()
    expect(await bed.outcome(notification)).toBe('delivered')
  })

  it('is followed by no delivery', async () => {
    const bed = await bedOf()
    const receiver = await receiverOf()
    const key = await bed.key({ url: receiver.url })
    await bed.webhooks.close()
    const notification = await bed.fail(key)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(receiver.received).toHaveLength(0)
    await bed.restart()
    await expect.poll(() => bed.outcome(notification), patience).toBe('delivered')
  })
})

describe('a secret', () => {
  it('is in no row, log or message', async () => {
    const bed = await bedOf()
    const receiver = await receiverOf()
    receiver.reply(500, 404)
    const secret = `hush-${randomUUID()}`
    const key = await bed.key({ url: receiver.url, secret })
    const notification = await bed.fail(key)
    await expect.poll(() => bed.outcome(notification), patience).toBe('refused')
    const dump = []
    for (const table of ['webhooks', 'notifications', 'tasks', 'api_keys'])
      dump.push(...(await bed.store.database.query(`select t::text as row from ${table} t`)))
    const hex = Buffer.from(secret).toString('hex')
    for (const text of [JSON.stringify(dump), bed.logged.join('\n')]) {
      expect(text.length).toBeGreaterThan(10)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(hex)
    }
  })

  it('that cannot be decrypted ends the delivery: nothing is sent unsigned', async () => {
    const bed = await bedOf()
    const receiver = await receiverOf()
    const key = await bed.key({ url: receiver.url, secret: 'hush' })
    await bed.restart({ gatewayKey: '77'.repeat(32) })
    const { task_id } = await bed.fail(key)
    const record = async () => (await bed.store.notifications.forTask(task_id))[0]
    await expect.poll(async () => (await record())?.outcome, patience).toBe('exhausted')
    expect(await record()).toMatchObject({
      attempts: 0,
      lastError: 'the stored secret cannot be decrypted',
    })
    expect(receiver.received).toHaveLength(0)
    expect(bed.logged.join()).toContain('the stored secret cannot be decrypted')
  })
})

it('does not deliver to a local URL once these are no longer allowed', async () => {
  const bed = await bedOf()
  const receiver = await receiverOf()
  const key = await bed.key({ url: receiver.url })
  await bed.restart({ allowLoopback: false })
  const notification = await bed.fail(key)
  await expect.poll(() => bed.outcome(notification), patience).toBe('exhausted')
  expect(receiver.received).toHaveLength(0)
})

it('retries after a store failure', async () => {
  const bed = await bedOf()
  const receiver = await receiverOf()
  const key = await bed.key({ url: receiver.url })
  let broken = true
  const { notifications } = bed.store
  await bed.restart({
    // Nothing but the next poll finds the notification.
    pollMs: 200,
    store: {
      ...bed.store,
      notifications: {
        ...notifications,
        claim: (options) =>
          broken ? Promise.reject(new Error('gone')) : notifications.claim(options),
      },
    },
  })
  const notification = await bed.fail(key)
  await expect.poll(() => bed.logged.join(), patience).toContain('cannot be read')
  broken = false
  await expect.poll(() => bed.outcome(notification), patience).toBe('delivered')
})

describe.each(engines)('two gateways on one $name database', ({ url }) => {
  it('send each notification once', async () => {
    const bed = await bedOf({ url })
    const receiver = await receiverOf()
    const keys = [await bed.key({ url: receiver.url }), await bed.key({ url: receiver.url })]
    const second = createWebhooks({
      store: bed.store,
      brand: { signatureHeader: 'X-Service-Signature' },
      gatewayKey: '5a'.repeat(32),
      userAgent: 'second/1',
      allowLoopback: true,
      clock: Date.now,
      log: { warn: () => {}, info: () => {} },
    })
    cleanup.defer(() => second.close())
    const failures = Array.from({ length: 60 }, async (_, n) => {
      const notification = await bed.fail(keys[n % 2]!)
      second.wake()
      return notification
    })
    const notifications = await Promise.all(failures)
    for (const each of notifications)
      await expect.poll(() => bed.outcome(each), patience).toBe('delivered')
    expect(idsOf(receiver).sort()).toEqual(
      notifications.map(({ notification_id }) => notification_id).sort(),
    )
  })
})
