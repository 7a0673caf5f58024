import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../store/engines.fixture.ts'
import { gatewayKey, type OutboxHarness, openOutbox } from './outbox.fixture.ts'
import { type Receiver, startReceiver } from './receiver.fixture.ts'
import { redeliver } from './redeliver.ts'

const patience = { timeout: 60_000, interval: 20 }

describe.each(engines)('webhooks on the $name engine', ({ url }) => {
  let bed: OutboxHarness
  let receiver: Receiver
  beforeAll(async () => {
    bed = await openOutbox({ url })
  })
  afterAll(() => bed.close())
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const settled = (notification: Parameters<OutboxHarness['outcome']>[0]) =>
    expect.poll(() => bed.outcome(notification), patience)

  it('post the notification, signed over its raw bytes', async () => {
    const secret = 'topsecret ü'
    const key = await bed.key({ url: `${receiver.url}/hook?token=1`, secret })
    const notification = await bed.fail(key)
    await settled(notification).toBe('delivered')
    expect(receiver.received).toHaveLength(1)
    const { headers, body, path } = receiver.received[0]!
    expect(path).toBe('/hook?token=1')
    expect(JSON.parse(body.toString('utf8'))).toEqual(notification)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-idempotency-key': notification.notification_id,
      'content-length': String(body.length),
      'user-agent': 'test/1',
    })
    const mac = createHmac('sha256', secret).update(body).digest('hex')
    expect(headers['x-service-signature']).toBe(`sha256=${mac}`)
  })

  it('are not signed without a secret', async () => {
    const notification = await bed.fail(await bed.key({ url: receiver.url }))
    await settled(notification).toBe('delivered')
    expect(receiver.received[0]!.headers).not.toHaveProperty('x-service-signature')
  })

  it('are retried after 100 ms, doubling, with the same bytes and id', async () => {
    receiver.reply(500, 500, 500, 200)
    const notification = await bed.fail(await bed.key({ url: receiver.url, secret: 's' }))
    await settled(notification).toBe('delivered')
    expect(receiver.received).toHaveLength(4)
    const [first, ...later] = receiver.received
    for (const each of later) {
      expect(each.body).toEqual(first!.body)
      expect(each.headers['x-idempotency-key']).toBe(notification.notification_id)
      expect(each.headers['x-service-signature']).toBe(first!.headers['x-service-signature'])
    }
    const waits = later.map((each, n) => each.at - receiver.received[n]!.at)
    // Two milliseconds of tolerance for clock rounding.
    expect(waits[0]).toBeGreaterThanOrEqual(98)
    expect(waits[1]).toBeGreaterThanOrEqual(198)
    expect(waits[2]).toBeGreaterThanOrEqual(398)
  })

  it('end after the first attempt and max_retries more', async () => {
    receiver.reply(503)
    const notification = await bed.fail(await bed.key({ url: receiver.url, max_retries: 2 }))
    await settled(notification).toBe('exhausted')
    expect(receiver.received).toHaveLength(3)
    const [record] = await bed.store.notifications.forTask(notification.task_id)
    expect(record).toMatchObject({ attempts: 3, lastError: 'answered 503' })
  })

  it('end immediately if the receiver rejects', async () => {
    receiver.reply(404)
    const notification = await bed.fail(await bed.key({ url: receiver.url }))
    await settled(notification).toBe('refused')
    expect(receiver.received).toHaveLength(1)
  })

  it('wait as long as a 429 requests', async () => {
    receiver.reply((response) => void response.writeHead(429, { 'retry-after': '1' }).end(), 200)
    const notification = await bed.fail(await bed.key({ url: receiver.url }))
    await settled(notification).toBe('delivered')
    expect(receiver.received[1]!.at - receiver.received[0]!.at).toBeGreaterThanOrEqual(990)
  })

  it('do not follow a redirect: it is a failed attempt', async () => {
    const elsewhere = await startReceiver()
    receiver.reply((response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    const notification = await bed.fail(await bed.key({ url: receiver.url, max_retries: 1 }))
    await settled(notification).toBe('exhausted')
    expect(receiver.received).toHaveLength(2)
    expect(elsewhere.received).toHaveLength(0)
    await elsewhere.close()
  })

  it('are of the registered types only', async () => {
    const key = await bed.key({ url: receiver.url, failure_types: ['timeout', 'internal_error'] })
    const other = await bed.fail(key, 'quorum_not_reached')
    expect(await bed.outcome(other)).toBe('unwanted')
    const wanted = await bed.fail(key, 'internal_error')
    await settled(wanted).toBe('delivered')
    expect(receiver.received).toHaveLength(1)
  })

  it('are not sent if no webhook is registered', async () => {
    const notification = await bed.fail(await bed.key())
    expect(await bed.outcome(notification)).toBe('unwanted')
  })

  it('go to the webhook of the key that created the task', async () => {
    const other = await startReceiver()
    const mine = await bed.key({ url: receiver.url })
    const theirs = await bed.key({ url: other.url })
    const [first, second] = [await bed.fail(mine), await bed.fail(theirs)]
    await settled(first).toBe('delivered')
    await settled(second).toBe('delivered')
    const ids = (each: Receiver) => each.received.map(({ headers }) => headers['x-idempotency-key'])
    expect(ids(receiver)).toEqual([first.notification_id])
    expect(ids(other)).toEqual([second.notification_id])
    await other.close()
  })

  it('go to the newest registration, including pending retries', async () => {
    receiver.reply(500)
    const key = await bed.key({ url: receiver.url, max_retries: 10 })
    const notification = await bed.fail(key)
    await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(0)
    const second = await startReceiver()
    await bed.webhooks.registry.register({ url: second.url }, { keyId: key, rotatedAt: null })
    await settled(notification).toBe('delivered')
    expect(second.received[0]!.headers['x-idempotency-key']).toBe(notification.notification_id)
    await second.close()
  })

  it('are delivered once more on request, and their row and schedule stay as they are', async () => {
    const again = (id: string) =>
      redeliver(
        {
          ...{ store: bed.store, brand: { signatureHeader: 'X-Service-Signature' }, gatewayKey },
          ...{ userAgent: 'test/1', allowLoopback: true, clock: Date.now },
          log: { warn() {}, info() {} },
        },
        id,
      )
    const key = await bed.key({ url: receiver.url, secret: 's', failure_types: ['timeout'] })
    const notification = await bed.fail(key)
    await settled(notification).toBe('delivered')
    const row = () => bed.store.notifications.forTask(notification.task_id)
    const before = await row()
    receiver.reply(500, 410, 200)
    const failed = { outcome: 'failed', error: 'answered 500' }
    expect(await again(notification.notification_id)).toEqual(failed)
    const refused = { outcome: 'refused', error: 'answered 410' }
    expect(await again(notification.notification_id)).toEqual(refused)
    expect(await again(notification.notification_id)).toEqual({ outcome: 'delivered', error: null })
    expect(await row()).toEqual(before)
    const [first, ...later] = receiver.received
    expect(later).toHaveLength(3)
    for (const { body, headers } of later) {
      expect(body).toEqual(first!.body)
      for (const name of ['x-idempotency-key', 'x-service-signature'])
        expect(headers[name]).toBe(first!.headers[name])
    }
    // Requested by a person, so that a filter set later does not count; without a webhook there is no receiver.
    await bed.webhooks.registry.register(
      { url: receiver.url, failure_types: ['internal_error'] },
      { keyId: key, rotatedAt: null },
    )
    expect(await again(notification.notification_id)).toEqual({ outcome: 'delivered', error: null })
    await bed.webhooks.registry.unregister({ keyId: key, rotatedAt: null })
    expect(await again(notification.notification_id)).toBeUndefined()
    expect(await again('unknown')).toBeUndefined()
  })

  it('end when unregistered or their key is deleted', async () => {
    receiver.reply(500)
    const [first, second] = [
      await bed.key({ url: receiver.url, max_retries: 10 }),
      await bed.key({ url: receiver.url, max_retries: 10 }),
    ]
    const waiting = [await bed.fail(first), await bed.fail(second)] as const
    await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(1)
    expect(await bed.webhooks.registry.unregister({ keyId: first, rotatedAt: null })).toEqual({
      success: true,
      message: 'Webhook unregistered',
    })
    expect(await bed.outcome(waiting[0])).toBe('unwanted')
    await bed.store.apiKeys.delete(second)
    expect(await bed.store.webhooks.get(second)).toBeUndefined()
    await bed.restart()
    await settled(waiting[1]).toBe('unwanted')
  })
})
