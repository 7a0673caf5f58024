import { decidedEqual } from '../lab/decided.ts'
import { createTask, failureOf, taskParams } from '../lab/requests.ts'
import {
  expectDeliveries,
  failTask,
  pause,
  silenceMs,
  webhookNeeds,
  withMailbox,
  withWebhook,
} from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import { expectEqual, expectThat } from '../runner/expect.ts'

/** Sections 4.9 and 6.2: receivers that redirect, or never answer. */
const needs = webhookNeeds

export const oddReceivers: readonly Check[] = [
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
