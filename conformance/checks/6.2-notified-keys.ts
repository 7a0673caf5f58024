import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { expectNotification } from '../kit/assertions/notification.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { createTask, expectTask, taskParams } from '../kit/scenarios/requests.ts'
import { expectSent, sendTask } from '../kit/scenarios/updates.ts'
import {
  deliveredFailure,
  expectDeliveries,
  expectSilence,
  failTask,
  payloadOf,
  registerAgain,
  silenceMs,
  unregisterWebhook,
  webhookNeeds,
  withMailbox,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'

/** Sections 4.9 and 6.2: which webhooks receive a failure, and which do not. */
const needs = webhookNeeds

export const notifiedKeys: readonly Check[] = [
  {
    // 6.2-15: A task that succeeds sends no notification.
    id: 'webhook.success',
    title: 'a task that succeeds sends no notification',
    clauses: ['6.2-15'],
    level: 'must',
    needs,
    twin: 'a task of the same key that fails',
    run: async (t) => {
      await withWebhook(t, {}, async (webhook) => {
        expectTask(await createTask(t, taskParams(t), { key: webhook.key }))
        await t.twin(() => deliveredFailure(t, webhook))
        await expectSilence(webhook.box, 1)
      })
    },
  },
  {
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    id: 'webhook.sent-task',
    title: 'a failed task of sendTask is notified as well',
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
    // 4.9-13: The webhook does not cover tasks of another key.
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    id: 'webhook.other-key',
    title: 'a webhook receives nothing about tasks of another key',
    clauses: ['4.9-13', '4.9-12'],
    level: 'must',
    needs: [...needs, 'key:stranger'],
    twin: 'the same failure sent to the webhook of its key',
    run: async (t) => {
      await withWebhook(t, {}, ({ box: quiet }) =>
        withWebhook(t, { standIn: 'stranger' }, async (webhook) => {
          await t.twin(() => deliveredFailure(t, webhook))
          await expectSilence(quiet, 0)
        }),
      )
    },
  },
  {
    // 4.9-14: After unregisterWebhook nothing more is sent.
    // 4.9-11: unregisterWebhook takes no params and returns success and message.
    id: 'webhook.unregistered',
    title: 'after unregisterWebhook no failure is sent',
    clauses: ['4.9-14', '4.9-11'],
    level: 'must',
    needs,
    twin: 'a failure before it',
    run: async (t) => {
      await withWebhook(t, {}, async (webhook) => {
        await t.twin(() => deliveredFailure(t, webhook))
        await unregisterWebhook(t, webhook.key)
        await failTask(t, webhook.key)
        await expectSilence(webhook.box, 1, 2 * silenceMs)
      })
    },
  },
  {
    // 4.9-15: The effect of a second registration with the same key.
    id: 'webhook.replaced',
    title: 'a second registration replaces the first: address, secret and options',
    clauses: ['4.9-15'],
    level: 'may',
    needs,
    run: async (t) => {
      await withWebhook(t, { params: { secret: 'of the first' } }, ({ key, box: first }) =>
        withMailbox(t, [200], async (second) => {
          if (!(await registerAgain(t, second, key)))
            return t.observe('a second registration is refused')
          await failTask(t, key)
          await second.wait(1, 10_000)
          await pause(silenceMs)
          const counts = [first.deliveries.length, second.deliveries.length]
          observed(t, 'deliveries', 'deliveries at the first and at the second address', counts)
          const signature =
            second.deliveries[0]?.headers[t.target.brand.signatureHeader.toLowerCase()]
          observed(t, 'signature', 'the signature of a second webhook without a secret', signature)
        }),
      )
    },
  },
  {
    // 4.9-08: failure_types is optional, an array of strings; failures of other types are not sent.
    id: 'webhook.filter',
    title: 'only the listed failure_types are sent',
    clauses: ['4.9-08'],
    level: 'must',
    needs,
    twin: 'the same failure with its type among them',
    run: async (t) => {
      const types = ['quorum_not_reached', 'internal_error', 'channel_error']
      const listed = {
        params: { failure_types: [...types, 'timeout'] },
        standIn: 'stranger',
      } as const
      await withWebhook(t, { params: { failure_types: types } }, ({ key: other, box: quiet }) =>
        withWebhook(t, listed, async (webhook) => {
          await failTask(t, other)
          await t.twin(async () => {
            const { delivery } = await deliveredFailure(t, webhook)
            expectEqual(payloadOf(delivery).failure_type, 'timeout', 'failure_type')
          })
          await expectSilence(quiet, 0)
        }),
      )
    },
  },
]
