import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { expectSpans } from '../core/expectSpans.ts'
import { observed } from '../kit/assertions/observed.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { createTask, failureOf, taskParams } from '../kit/scenarios/requests.ts'
import {
  deliveredFailure,
  silenceMs,
  webhookNeeds,
  withMailbox,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'

/** Sections 4.9 and 6.2: receivers that redirect, or never answer. */
const needs = webhookNeeds

export const oddReceivers: readonly Check[] = [
  {
    // 4.9-21: Whether redirects of the receiver are followed.
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
          async (webhook) => {
            await deliveredFailure(t, webhook)
            await pause(2 * silenceMs)
            observed(t, 'deliveries', 'deliveries at the redirect target', place.deliveries.length)
            t.observe(
              `attempts at a receiver that redirects once: ${webhook.box.deliveries.length}`,
            )
          },
        ),
      )
    },
  },
  {
    // 6.2-03: Notifications are sent as an HTTP POST to the registered URL.
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    id: 'webhook.silent-receiver',
    title: 'a receiver that never answers delays no task and no other receiver',
    clauses: ['6.2-03', '4.9-12'],
    level: 'must',
    needs: [...needs, 'key:stranger'],
    run: async (t) => {
      const hang = { answers: ['hang'], params: { timeout_seconds: 8, max_retries: 0 } } as const
      await withWebhook(t, hang, (silent) =>
        withWebhook(t, { standIn: 'stranger' }, async (other) => {
          const { delivery: unanswered } = await deliveredFailure(t, silent)
          const { delivery } = await deliveredFailure(t, other)
          const { gaveUpAt = Number.POSITIVE_INFINITY } = unanswered
          expectSpans(
            [{ from: delivery.at, to: gaveUpAt }],
            { least: 0 },
            {
              what: 'the other delivery',
              expected: 'one before the silent receiver times out',
              observed: 'after',
            },
          )
          const answer = await createTask(t, taskParams(t), { key: silent.key })
          expectEqual(failureOf(answer), undefined, 'the failure of a task of its key')
        }),
      )
    },
  },
]
