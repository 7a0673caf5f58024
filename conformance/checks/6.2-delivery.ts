import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat } from '../core/expect.ts'
import { lowered } from '../kit/assertions/hex.ts'
import {
  expectNotification,
  expectSigned,
  expectUnsigned,
  idempotencyKeyOf,
} from '../kit/assertions/notification.ts'
import {
  deliveredFailure,
  expectDeliveries,
  expectSilence,
  failTask,
  payloadOf,
  webhookNeeds,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'
import type { Delivery } from '../kit/servers/webhookReceiver.ts'

/** Sections 2.8, 5.5 and 6.2: one failure, one delivery, and its content. */
const needs = webhookNeeds
const secret = 'a secret of the suite, with an ümlaut'

/** One failure with one delivery, shared by all checks of it. */
const delivered = (t: CheckContext) =>
  t.once('delivered failure', () =>
    withWebhook(t, { params: { secret } }, (webhook) => deliveredFailure(t, webhook)),
  )

const idsOf = (deliveries: readonly Delivery[]) =>
  deliveries.map((delivery) => payloadOf(delivery).notification_id)

export const deliveryChecks: readonly Check[] = [
  {
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 6.2-03: Notifications are sent as an HTTP POST to the registered URL.
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    // 6.2-14: A response with a 2xx status ends the delivery.
    // 4.9-09: The default of failure_types is all.
    id: 'webhook.delivery',
    title: 'a failed task is sent to the webhook of its key by one POST',
    clauses: ['6.2-01', '6.2-03', '4.9-12', '6.2-14', '4.9-09'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async (webhook) => {
        const { taskId, delivery } = await deliveredFailure(t, webhook)
        const { box } = webhook
        expectEqual(delivery.method, 'POST', 'the method')
        expectThat(delivery.path.endsWith(box.path), 'the path', box.path, delivery.path)
        expectNotification(payloadOf(delivery), taskId)
        // It was answered with 200: it is not sent again.
        await expectSilence(box, 1)
      })
    },
  },
  {
    // 2.8-01: notification_id is a string, a UUID of version 4.
    // 2.8-02: task_id is a hex string, the id of the task that failed.
    // 2.8-03: timestamp is a string, ISO 8601 in UTC.
    // 2.8-04: failure_type is one of the strings of section 6.3.
    // 2.8-05: error_message is a string.
    // 2.8-06: context is an object.
    // 2.8-08: is_recoverable is a boolean.
    // 2.8-09: retry_after_seconds is a number or null.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    id: 'webhook.payload',
    title: 'the payload has every member of section 2.8 with its type',
    clauses: [
      '2.8-01',
      '2.8-02',
      '2.8-03',
      '2.8-04',
      '2.8-05',
      '2.8-06',
      '2.8-08',
      '2.8-09',
      '6.2-01',
    ],
    level: 'must',
    needs,
    run: async (t) => {
      const { taskId, delivery } = await delivered(t)
      expectNotification(payloadOf(delivery), taskId)
    },
  },
  {
    // 2.8-11: What context holds for other failures, and further members.
    id: 'webhook.payload.observed',
    title: 'observed: context of a timeout, and members beyond section 2.8',
    clauses: ['2.8-11'],
    level: 'may',
    needs,
    run: async (t) => {
      const { delivery } = await delivered(t)
      const payload = payloadOf(delivery)
      t.observe(`members ${Object.keys(payload).join(', ')}`)
      t.observe(`context of ${payload.failure_type}: ${JSON.stringify(payload.context)}`)
    },
  },
  {
    // 6.2-05: The POST has X-Idempotency-Key.
    // 6.2-06: The POST has Content-Type application/json.
    // 5.5-03: X-Idempotency-Key has the notification id.
    id: 'webhook.headers',
    title:
      'the POST has Content-Type application/json and the notification id as X-Idempotency-Key',
    clauses: ['6.2-05', '6.2-06', '5.5-03'],
    level: 'must',
    needs,
    run: async (t) => {
      const { delivery } = await delivered(t)
      expectMatch(
        delivery.headers['content-type'],
        /^application\/json(;\s*charset=utf-8)?$/i,
        'Content-Type',
      )
      expectEqual(
        idempotencyKeyOf(delivery),
        payloadOf(delivery).notification_id,
        'X-Idempotency-Key',
      )
    },
  },
  {
    // 5.5-01: With a secret, X-Service-Signature is sha256= followed by the hex HMAC-SHA256 of the
    //   raw payload bytes, keyed by the secret.
    // 6.2-04: The POST has X-Service-Signature only if a secret is set.
    id: 'webhook.signature',
    title:
      'with a secret the signature is valid for the raw bytes, and for no other bytes or secret',
    clauses: ['5.5-01', '6.2-04'],
    level: 'must',
    needs,
    run: async (t) => {
      const { delivery } = await delivered(t)
      expectSigned(t, delivery, secret)
    },
  },
  {
    // 5.5-02: Without a secret there is no X-Service-Signature.
    // 6.2-04: The POST has X-Service-Signature only if a secret is set.
    id: 'webhook.signature.absent',
    title: 'without a secret there is no signature',
    clauses: ['5.5-02', '6.2-04'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async (webhook) => {
        const { delivery } = await deliveredFailure(t, webhook)
        expectUnsigned(t, delivery)
      })
    },
  },
  {
    // 2.8-10: No two notifications have the same id.
    // 2.8-02: task_id is a hex string, the id of the task that failed.
    id: 'webhook.ids',
    title: 'every failure has a separate notification',
    clauses: ['2.8-10', '2.8-02'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        const tasks = await Promise.all(Array.from({ length: 5 }, () => failTask(t, key)))
        const deliveries = await expectDeliveries(box, tasks.length)
        await expectSilence(box, tasks.length)
        expectEqual(new Set(idsOf(deliveries)).size, tasks.length, 'the number of different ids')
        const told = deliveries.map((delivery) => lowered(payloadOf(delivery).task_id))
        const known = tasks.filter((id) => id !== undefined)
        if (known.length === tasks.length)
          expectEqual(told.sort(), known.sort(), 'the tasks in the notifications')
      })
    },
  },
]
