import type {
  InboxDelivery,
  NotificationList,
  RecordedUpdates,
  TriggerList,
  TriggerRun,
  WebhookInboxState,
} from 'polgate-protocol/control/webhooks.ts'
import { FailureType } from 'polgate-protocol/notification.ts'
import { afterAll, expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'

const types = FailureType.anyOf.map((each) => each.const)
const patience = { timeout: 30_000, interval: 20 }

/** The inbox of webhooks of a stack, as its control listener serves it. */
export function webhookInboxSuite(author: () => AuthorStack): void {
  const control = (path: string, method = 'GET', body?: unknown) =>
    fetch(`${author().stack.description.controlUrl}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const get = async <T>(path: string) => (await (await control(path)).json()) as T
  const inbox = (after = 0) => get<WebhookInboxState>(`/webhooks/inbox?after=${after}`)
  const register = (body: object) => control('/webhooks/inbox/register', 'POST', body)
  const triggered = async (type: string): Promise<TriggerRun> => {
    const answer = await control(`/webhooks/trigger/${type}`, 'POST', {})
    expect(answer.status).toBe(202)
    const { id } = (await answer.json()) as TriggerRun
    const run = async () =>
      (await get<TriggerList>('/webhooks/triggers')).runs.find((each) => each.id === id)!
    await expect.poll(async () => (await run()).stage, patience).toBe('ended')
    return run()
  }
  const notification = async (id: string) =>
    (await get<NotificationList>('/webhooks/notifications')).notifications.find(
      (each) => each.id === id,
    )
  afterAll(() => control('/webhooks/inbox/rpc', 'DELETE'))

  test('receives every failure type, which it triggers, with a verified signature', async () => {
    expect((await register({ key: 'rpc', timeoutSeconds: 1, maxRetries: 3 })).status).toBe(200)
    const before = await inbox()
    expect(before.receivers).toEqual([
      { key: 'rpc', registered: true, timeoutSeconds: 1, maxRetries: 3 },
    ])
    for (const type of types) {
      const run = await triggered(type)
      expect(run).toMatchObject({ type, happened: true, error: null })
      expect(run.notification).toMatchObject({ type, outcome: 'delivered', attempts: 1 })
    }
    const { deliveries } = await inbox(before.latest)
    expect(deliveries.map(({ type }) => type)).toEqual(types)
    for (const each of deliveries) {
      expect(each).toMatchObject({ key: 'rpc', verified: true, fault: null, status: 200 })
      expect(JSON.parse(each.body)).toMatchObject({ notification_id: each.notificationId })
      expect(each.headers.map(([name]) => name)).toContain('X-Service-Signature')
    }
    const { updates } = await get<RecordedUpdates>(`/updates?task=${deliveries[0]!.taskId}`)
    expect(updates.map(({ event }) => event)).toContain('failure')
    expect(updates.at(-1)).toMatchObject({ event: 'notification', taskId: deliveries[0]!.taskId })
  })

  test('answers as chosen, so that attempts follow; a redelivery leaves the row as it is', async () => {
    const { latest } = await inbox()
    await control('/webhooks/inbox/reply', 'PUT', { reply: '500' })
    const begun = await control('/webhooks/trigger/timeout', 'POST', {})
    expect(begun.status).toBe(202)
    // While one failure is triggered, another is refused.
    expect((await control('/webhooks/trigger/timeout', 'POST', {})).status).toBe(422)
    const arrived = async () => (await inbox(latest)).deliveries
    await expect.poll(async () => (await arrived()).length, patience).toBe(1)
    await control('/webhooks/inbox/reply', 'PUT', { reply: '429', retryAfterSeconds: 0 })
    await expect.poll(async () => (await arrived()).length, patience).toBe(2)
    await control('/webhooks/inbox/reply', 'PUT', { reply: 'timeout' })
    await expect.poll(async () => (await arrived()).length, patience).toBe(3)
    const id = (await arrived())[0]!.notificationId!
    expect(await notification(id)).toMatchObject({ outcome: 'pending', attempts: 2 })
    expect((await notification(id))!.nextAttemptAt).not.toBeNull()
    await control('/webhooks/inbox/reply', 'PUT', { reply: '200' })
    await expect.poll(async () => (await notification(id))!.outcome, patience).toBe('delivered')
    const statuses = (list: readonly InboxDelivery[]) => list.map(({ status }) => status)
    expect(statuses(await arrived())).toEqual([500, 429, null, 200])
    const { made, ...row } = (await notification(id))!
    expect(made.map(({ status }) => status)).toEqual([500, 429, null, 200])

    const again = await control(`/webhooks/deliveries/${id}/redeliver`, 'POST', {})
    expect(await again.json()).toEqual({ outcome: 'delivered', error: null })
    const { made: after, ...same } = (await notification(id))!
    expect(same).toEqual(row)
    expect(after.at(-1)).toMatchObject({ status: 200, redelivery: true })
    const all = await arrived()
    expect(all.at(-1)).toMatchObject({ attempt: 5, verified: true })
    expect(new Set(all.map(({ body }) => body)).size).toBe(1)
  })

  test('what does not come from the service is not verified', async () => {
    const { stack } = author()
    const { id } = (await stack.service.store.apiKeys.lookup(stack.description.apiKeys.rpc))!
    const { url } = (await stack.service.store.webhooks.get(id))!
    const { latest } = await inbox()
    const headers = { 'x-service-signature': `sha256=${'0'.repeat(64)}` }
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    const [forged] = (await inbox(latest)).deliveries
    expect(forged).toMatchObject({ verified: false, notificationId: null, body: '{}' })
    expect(forged!.fault).toContain('does not match')
    expect((await fetch(url)).status).toBe(405)
    expect((await fetch(`${url}2`, { method: 'POST' })).status).toBe(404)
    const large = 'x'.repeat(1024 * 1024 + 1)
    expect((await fetch(url, { method: 'POST', body: large })).status).toBe(413)
  })

  test('a webhook of the user is not replaced without being asked, and loses nothing', async () => {
    const { stack } = author()
    const { store } = stack.service
    const { id } = (await store.apiKeys.lookup(stack.description.apiKeys.stranger))!
    const own = { apiKeyId: id, url: 'https://own.example/hook', sealedSecret: null }
    await store.webhooks.put({ ...own, timeoutSeconds: 5, maxRetries: 1, failureTypes: null })
    const refused = await register({ key: 'stranger' })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining('has a webhook') })
    expect((await register({ key: 'stranger', replace: true })).status).toBe(200)
    await store.webhooks.put({ ...own, timeoutSeconds: 5, maxRetries: 1, failureTypes: null })
    const { receivers } = await inbox()
    expect(receivers.find(({ key }) => key === 'stranger')).toMatchObject({ registered: false })
    await control('/webhooks/inbox/stranger', 'DELETE')
    expect((await store.webhooks.get(id))?.url).toBe(own.url)
    await store.webhooks.remove(id)
  })

  test.each([
    ['POST', '/webhooks/inbox/register', {}, 422],
    ['POST', '/webhooks/inbox/register', { key: 'admin' }, 422],
    ['POST', '/webhooks/inbox/register', { key: '__proto__' }, 422],
    ['POST', '/webhooks/inbox/register', { key: 'none' }, 422],
    ['POST', '/webhooks/inbox/register', { key: 'rpc', timeoutSeconds: 61 }, 422],
    ['POST', '/webhooks/inbox/register', { key: 'rpc', url: 'http://10.0.0.1' }, 422],
    ['PUT', '/webhooks/inbox/reply', { reply: '302' }, 422],
    ['PUT', '/webhooks/inbox/reply', { reply: '429', retryAfterSeconds: 61 }, 422],
    ['POST', '/webhooks/trigger/timeouts', {}, 404],
    ['POST', '/webhooks/trigger/timeout', { key: 'nobody' }, 422],
    ['POST', '/webhooks/deliveries/unknown/redeliver', {}, 404],
    ['POST', `/webhooks/deliveries/${'a'.repeat(65)}/redeliver`, {}, 404],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const answer = await control(path, method, body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: expect.any(String) })
  })
}
