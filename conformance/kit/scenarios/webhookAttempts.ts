import type { CheckContext } from '../../core/context.ts'
import { expectEqual } from '../../core/expect.ts'
import type { Span } from '../../core/expectSpans.ts'
import { idempotencyKeyOf } from '../assertions/notification.ts'
import type { Delivery, ReceiverAnswer } from '../servers/webhookReceiver.ts'
import { expectDeliveries, expectSilence, failTask, silenceMs, withWebhook } from './webhooks.ts'

/** Timers may fire slightly early, and two clocks are compared. */
export const early = 0.9
/** How late a retry may be on a busy machine. */
export const lateMs = 8_000

/** The times between consecutive attempts. */
export const waitsOf = (deliveries: readonly Delivery[]): readonly Span[] =>
  deliveries.slice(1).map(({ at }, i) => ({ from: deliveries[i]!.at, to: at }))

/** How long the gateway waited for the answer to each delivery, so far forever where it still does. */
export const timeoutsOf = (deliveries: readonly Delivery[]): readonly Span[] =>
  deliveries.map(({ at, gaveUpAt = Number.POSITIVE_INFINITY }) => ({ from: at, to: gaveUpAt }))

export const shownSeconds = (spans: readonly Span[]): string =>
  spans.map(({ from, to }) => `${((to - from) / 1000).toFixed(2)} s`).join(', ')

/** Milliseconds between consecutive attempts. */
export const gapsOf = (deliveries: readonly Delivery[]): readonly number[] =>
  deliveries.slice(1).map((delivery, i) => delivery.at - deliveries[i]!.at)

export const shownGaps = (deliveries: readonly Delivery[]) =>
  gapsOf(deliveries)
    .map((gap) => `${Math.round(gap)} ms`)
    .join(', ')

type Attempts = {
  readonly answers: readonly ReceiverAnswer[]
  readonly params?: Readonly<Record<string, unknown>>
}

/** One failure, the given responses, and the attempts of its notification once that many have arrived. */
export const attempts = (
  t: CheckContext,
  { answers, params = {} }: Attempts,
  count: number,
  then: (deliveries: readonly Delivery[], end: () => Promise<void>) => Promise<void>,
): Promise<void> =>
  withWebhook(t, { answers, params }, async ({ key, box }) => {
    await failTask(t, key)
    const deliveries = await expectDeliveries(box, count)
    const [first, ...others] = deliveries.map(idempotencyKeyOf)
    const another = others.filter((other) => other !== first)
    expectEqual(another, [], 'idempotency keys other than that of the first attempt')
    await then(deliveries, () => expectSilence(box, count, 3 * silenceMs))
  })
