import { decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import {
  expectNotification,
  expectSigned,
  expectUnsigned,
  idempotencyKeyOf,
} from '../lab/notification.ts'
import { withOwnKey } from '../lab/ownKey.ts'
import { createTask, expectTask, failureOf, taskParams } from '../lab/requests.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import { expectSent, sendTask } from '../lab/updates.ts'
import type { Delivery } from '../lab/webhookReceiver.ts'
import {
  expectDeliveries,
  expectSilence,
  failTask,
  pause,
  payloadOf,
  registerBox,
  silenceMs,
  unregisterWebhook,
  withMailbox,
  withWebhook,
} from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual, expectMatch, expectThat } from '../runner/expect.ts'

/** Sections 2.8, 5.5 and 6.2: one failure, one delivery; to whom, and what stands in it. */
const needs = [...createTaskSubject.needs, 'key:rpc', 'webhook-receiver'] as const
const secret = 'a secret of the suite, with an ümlaut'

/** One failure with one delivery, for all checks that look at it. */
const delivered = (t: CheckContext) =>
  t.once('delivered failure', () =>
    withWebhook(t, { params: { secret } }, async ({ key, box }) => {
      const taskId = await failTask(t, key)
      const [delivery] = await expectDeliveries(box, 1)
      return { taskId, delivery: delivery as Delivery }
    }),
  )

const idsOf = (deliveries: readonly Delivery[]) =>
  deliveries.map((delivery) => payloadOf(delivery).notification_id)

export const deliveryChecks: readonly Check[] = [
  {
    id: 'webhook.delivery',
    title: 'a failed task is told to the webhook of its key by one POST',
    clauses: ['6.2-01', '6.2-03', '4.9-12', '6.2-14', '4.9-09'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        const taskId = await failTask(t, key)
        const [delivery] = await expectDeliveries(box, 1)
        expectEqual(delivery?.method, 'POST', 'the method')
        expectThat(String(delivery?.path).endsWith(box.path), 'the path', box.path, delivery?.path)
        expectNotification(payloadOf(delivery!), taskId)
        // 200 was the answer: it is not told again.
        await expectSilence(box, 1)
      })
    },
  },
  {
    id: 'webhook.payload',
    title: 'the payload has every member of section 2.8, each of its type',
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
    id: 'webhook.signature',
    title:
      'with a secret the signature holds over the raw bytes, and over no other bytes or secret',
    clauses: ['5.5-01', '6.2-04'],
    level: 'must',
    needs,
    run: async (t) => {
      const { delivery } = await delivered(t)
      expectSigned(t, delivery, secret)
    },
  },
  {
    id: 'webhook.signature.absent',
    title: 'without a secret there is no signature',
    clauses: ['5.5-02', '6.2-04'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        await failTask(t, key)
        const [delivery] = await expectDeliveries(box, 1)
        expectUnsigned(t, delivery!)
      })
    },
  },
  {
    id: 'webhook.ids',
    title: 'every failure has a notification of its own',
    clauses: ['2.8-10', '2.8-02'],
    level: 'must',
    needs,
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        const tasks = await Promise.all(Array.from({ length: 5 }, () => failTask(t, key)))
        const deliveries = await expectDeliveries(box, tasks.length)
        await expectSilence(box, tasks.length)
        expectEqual(new Set(idsOf(deliveries)).size, tasks.length, 'the number of different ids')
        const told = deliveries.map((delivery) => String(payloadOf(delivery).task_id).toLowerCase())
        const known = tasks.filter((id) => id !== undefined)
        if (known.length === tasks.length)
          expectEqual(told.sort(), known.sort(), 'the tasks that were told of')
      })
    },
  },
  {
    id: 'webhook.success',
    title: 'a task that succeeds notifies nobody',
    clauses: ['6.2-15'],
    level: 'must',
    needs,
    twin: 'a task of the same key that fails',
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        expectTask(await createTask(t, taskParams(t), { key }))
        await t.twin(async () => {
          await failTask(t, key)
          await expectDeliveries(box, 1)
        })
        await expectSilence(box, 1)
      })
    },
  },
  {
    id: 'webhook.sent-task',
    title: 'a task of sendTask that fails is told of as well',
    clauses: ['4.9-12', '6.2-01'],
    level: 'must',
    needs: [...needs, `client:${fixture.trapping}`],
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        const taskId = expectSent(await sendTask(t, taskParams(t, fixture.trapping), { key }))
        const [delivery] = await expectDeliveries(box, 1)
        expectNotification(payloadOf(delivery!), taskId)
      })
    },
  },
  {
    id: 'webhook.other-key',
    title: 'a webhook is told nothing of the tasks of another key',
    clauses: ['4.9-13', '4.9-12'],
    level: 'must',
    needs: [...needs, 'key:stranger'],
    twin: 'the same failure told to the webhook of its own key',
    run: async (t) => {
      await withWebhook(t, {}, ({ box: quiet }) =>
        withWebhook(t, { standIn: 'stranger' }, async ({ key, box }) => {
          await t.twin(async () => {
            await failTask(t, key)
            await expectDeliveries(box, 1)
          })
          await expectSilence(quiet, 0)
        }),
      )
    },
  },
  {
    id: 'webhook.unregistered',
    title: 'after unregisterWebhook a failure is told to nobody',
    clauses: ['4.9-14', '4.9-11'],
    level: 'must',
    needs,
    twin: 'a failure before it',
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        await t.twin(async () => {
          await failTask(t, key)
          await expectDeliveries(box, 1)
        })
        await unregisterWebhook(t, key)
        await failTask(t, key)
        await expectSilence(box, 1, 2 * silenceMs)
      })
    },
  },
  {
    id: 'webhook.replaced',
    title: 'a second registration takes the place of the first: address, secret and options',
    clauses: ['4.9-15'],
    level: 'may',
    needs,
    run: async (t) => {
      await withWebhook(t, { params: { secret } }, ({ key, box: first }) =>
        withMailbox(t, [200], async (second) => {
          await registerBox(t, second, key)
          await failTask(t, key)
          await second.wait(1, 10_000)
          await pause(silenceMs)
          const counts = [first.deliveries.length, second.deliveries.length]
          decidedEqual(t, counts, [0, 1], 'deliveries at the first and at the second address')
          if (second.deliveries.length > 0) expectUnsigned(t, second.deliveries[0]!)
        }),
      )
    },
  },
  {
    id: 'webhook.filter',
    title: 'failure_types lets through what it lists and nothing else',
    clauses: ['4.9-08'],
    level: 'must',
    needs,
    twin: 'the same failure with its type among them',
    run: async (t) => {
      const types = ['quorum_not_reached', 'internal_error', 'channel_error']
      await withWebhook(t, { params: { failure_types: types } }, ({ key: other, box: quiet }) =>
        withOwnKey(
          t,
          (key) =>
            withMailbox(t, [200], async (box) => {
              await registerBox(t, box, key, { failure_types: [...types, 'timeout'] })
              try {
                await failTask(t, other)
                await t.twin(async () => {
                  await failTask(t, key)
                  const [delivery] = await expectDeliveries(box, 1)
                  expectEqual(payloadOf(delivery!).failure_type, 'timeout', 'failure_type')
                })
                await expectSilence(quiet, 0)
              } finally {
                await unregisterWebhook(t, key)
              }
            }),
          'stranger',
        ),
      )
    },
  },
  {
    id: 'webhook.redirect',
    title: 'observed: a receiver that redirects',
    clauses: ['4.9-21'],
    level: 'may',
    needs,
    run: async (t) => {
      await withMailbox(t, [200], (place) =>
        withWebhook(
          t,
          {
            answers: [{ status: 307, headers: { location: place.url } }, 200],
            params: { max_retries: 1 },
          },
          async ({ key, box }) => {
            await failTask(t, key)
            await expectDeliveries(box, 1)
            await pause(2 * silenceMs)
            decidedEqual(t, place.deliveries.length, 0, 'deliveries where a redirect leads')
            t.observe(`attempts at a receiver that redirects once: ${box.deliveries.length}`)
          },
        ),
      )
    },
  },
  {
    id: 'webhook.silent-receiver',
    title: 'a receiver that never answers keeps no task and no other receiver waiting',
    clauses: ['6.2-03', '4.9-12'],
    level: 'must',
    needs: [...needs, 'key:stranger'],
    run: async (t) => {
      const hang = { answers: ['hang'], params: { timeout_seconds: 8, max_retries: 0 } } as const
      await withWebhook(t, hang, ({ key: slow, box: silent }) =>
        withWebhook(t, { standIn: 'stranger' }, async ({ key, box }) => {
          await failTask(t, slow)
          await expectDeliveries(silent, 1)
          await failTask(t, key)
          const [delivery] = await expectDeliveries(box, 1)
          const { gaveUpAt = Number.POSITIVE_INFINITY } = silent.deliveries[0]!
          const before = delivery!.at < gaveUpAt
          expectThat(
            before,
            'the other delivery',
            'one before the silent receiver is given up',
            'after',
          )
          const answer = await createTask(t, taskParams(t), { key: slow })
          expectEqual(failureOf(answer), undefined, 'the failure of a task of its key')
        }),
      )
    },
  },
]
