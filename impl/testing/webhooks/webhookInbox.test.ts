import { createHmac } from 'node:crypto'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect } from 'vitest'
import { test } from '../vitest/index.ts'
import { startWebhookInbox } from './webhookInbox.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const notification = {
  notification_id: '2f1c9c34-0d0b-4a0e-8a53-3f1f9c0f5a11',
  task_id: `0x${'1'.repeat(64)}`,
  timestamp: '2026-01-01T00:00:00.000Z',
  failure_type: 'timeout',
  error_message: 'too late',
  context: {},
  is_recoverable: true,
  retry_after_seconds: null,
}

async function inboxOf(options: Parameters<typeof startWebhookInbox>[0] = {}) {
  const inbox = await startWebhookInbox(options)
  cleanup.defer(() => inbox.close())
  const send = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(inbox.url, { method: 'POST', body, headers })).status
  const signed = (body: string, secret = inbox.secret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return { inbox, send, signed }
}

test('a failed task arrives, signed', async ({ stack, client, webhookInbox }) => {
  await client.registerWebhook(webhookInbox.registration)
  const { policyClient: policy_client } = await stack.deployPolicy({ rego: 'package p\nallow if' })
  const failure = await client
    .createTask({ policy_client, intent: stack.intent() })
    .catch((error: { taskId?: string }) => error)
  const { taskId } = failure as { taskId: string }
  const delivery = await webhookInbox.waitFor(({ notification: { task_id } }) => task_id === taskId)
  expect(delivery.status).toBe(200)
  expect(delivery.headers[stack.brand.signatureHeader.toLowerCase()]).toMatch(/^sha256=/)
  expect(JSON.parse(delivery.rawBody)).toEqual(delivery.notification)
  expect(webhookInbox.refused).toEqual([])
})

test('only what is signed with the secret is accepted', async () => {
  const { inbox, send, signed } = await inboxOf()
  const body = JSON.stringify(notification)
  const header = 'x-service-signature'
  expect(await send(body)).toBe(401)
  expect(await send(body, { [header]: signed(body, 'another') })).toBe(401)
  expect(await send(`${body} `, { [header]: signed(body) })).toBe(401)
  expect(await send('{}', { [header]: signed('{}') })).toBe(401)
  expect(inbox.deliveries).toEqual([])
  expect(inbox.refused).toEqual([
    'The request has no header X-Service-Signature',
    'The signature does not match the body',
    'The signature does not match the body',
    'The payload is not a failure notification',
  ])
  expect(await send(body, { [header]: signed(body) })).toBe(200)
  expect(inbox.deliveries.map((each) => each.notification)).toEqual([notification])
})

test('the header of another brand, a secret of the caller, and failures on request', async () => {
  const { inbox, send } = await inboxOf({
    brand: { signatureHeader: 'X-Acme-Signature' },
    secret: 's',
  })
  const body = JSON.stringify(notification)
  const headers = {
    'x-acme-signature': `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`,
  }
  inbox.answerNext(503, 429)
  expect([await send(body, headers), await send(body, headers), await send(body, headers)]).toEqual(
    [503, 429, 200],
  )
  expect(inbox.deliveries.map(({ status }) => status)).toEqual([503, 429, 200])
})

test('waiting ends with a list of what arrived', async () => {
  const { inbox, send, signed } = await inboxOf()
  const body = JSON.stringify(notification)
  await send(body, { 'x-service-signature': signed(body) })
  await send(body)
  await expect(inbox.waitFor(() => false, { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'timeout',
    message: `No delivery matched within 50 ms; 1 arrived: timeout of task 0x${'1'.repeat(64)}; 1 refused: The request has no header X-Service-Signature. Register the inbox with registerWebhook(inbox.registration), under the key that creates the task.`,
  })
  const later = inbox.waitFor(({ headers }) => headers['x-second'] === '1')
  await send(body, { 'x-service-signature': signed(body), 'x-second': '1' })
  expect((await later).notification).toEqual(notification)
})
