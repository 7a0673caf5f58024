import type { Check } from '../core/check.ts'
import { NotInTime } from '../core/conformanceError.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { expectSpans } from '../core/expectSpans.ts'
import { expectSigned, idempotencyKeyOf } from '../kit/assertions/notification.ts'
import { observed } from '../kit/assertions/observed.ts'
import { pause } from '../kit/scenarios/pause.ts'
import {
  attempts,
  lateMs,
  shownGaps,
  shownSeconds,
  timeoutsOf,
} from '../kit/scenarios/webhookAttempts.ts'
import {
  expectDeliveries,
  failTask,
  silenceMs,
  webhookNeeds,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'
import type { ReceiverAnswer } from '../kit/servers/webhookReceiver.ts'

/** Sections 6.2 and 8: which responses cause a retry, and how many retries there are. */
const needs = webhookNeeds
const secret = 'retried'

/** A machine that is busy for a moment must not reach it. */
const timeoutSeconds = 3

const retried = (id: string, what: string, answer: ReceiverAnswer, clause: string): Check => ({
  id,
  title: `${what} is retried until it is accepted`,
  clauses: [clause, '6.2-14'],
  level: 'must',
  needs,
  run: (t) =>
    attempts(
      t,
      { answers: [answer, 200], params: { timeout_seconds: timeoutSeconds } },
      2,
      async (deliveries, end) => {
        t.observe(`retried after ${shownGaps(deliveries)}`)
        await end()
      },
    ),
})

const final = (id: string, status: number): Check => ({
  id,
  title: `a receiver that answers ${status} gets no retry`,
  clauses: ['6.2-11'],
  level: 'must',
  needs,
  twin: 'a receiver that answers 500, which gets a retry',
  run: async (t) => {
    await attempts(t, { answers: [status] }, 1, async (_, end) => end())
    await t.twin(() => attempts(t, { answers: [500, 200] }, 2, async () => undefined))
  },
})

/** Number of attempts at a receiver that never accepts: two readings of max_retries. */
const bounded = (
  id: string,
  title: string,
  params: Readonly<Record<string, unknown>>,
  retries: number,
  clauses: readonly string[],
): Check => ({
  id,
  title,
  clauses,
  level: 'must',
  needs,
  run: (t) =>
    withWebhook(t, { answers: [503], params }, async ({ key, box }) => {
      await failTask(t, key)
      const least = Math.max(1, retries)
      await expectDeliveries(box, least)
      // One more by the other reading, then as long as the next one would take.
      await box.wait(retries + 1, 100 * 2 ** retries + lateMs)
      await pause(100 * 2 ** (retries + 1) + silenceMs)
      const count = box.deliveries.length
      expectThat(
        count === least || count === retries + 1,
        'the number of attempts',
        `${retries + 1}, or ${least} where the first is counted`,
        count,
      )
      t.observe(`${count} attempts with ${retries} retries, after ${shownGaps(box.deliveries)}`)
    }),
})

export const retryChecks: readonly Check[] = [
  {
    // 4.9-05: The default of timeout_seconds is 10.
    id: 'webhook.timeout.default',
    title: 'without timeout_seconds a silent receiver times out after 10 seconds',
    clauses: ['4.9-05'],
    level: 'must',
    needs,
    run: (t) =>
      attempts(t, { answers: ['hang', 200] }, 1, async ([silent]) => {
        for (let waited = 0; silent?.gaveUpAt === undefined && waited < 20_000; waited += 100)
          await pause(100)
        const waited = timeoutsOf([silent!])
        expectSpans(
          waited,
          { least: 8_000, most: 10_000 + lateMs },
          { what: 'the time waited', expected: 'about 10 s', observed: shownSeconds(waited) },
        )
      }),
  },
  {
    // 4.9-04: timeout_seconds is optional, a number, and limits each request.
    // 6.2-13: A 5xx status, a broken connection and a timeout are retried.
    id: 'webhook.timeout.given',
    title: 'with timeout_seconds 2 a silent receiver times out after two seconds, and gets a retry',
    clauses: ['4.9-04', '6.2-13'],
    level: 'must',
    needs,
    run: (t) =>
      attempts(
        t,
        { answers: ['hang', 'hang', 200], params: { timeout_seconds: 2 } },
        3,
        async (deliveries, end) => {
          await end()
          // A busy gateway may be late once: of two measurements one is enough.
          const waits = timeoutsOf(deliveries.slice(0, 2))
          expectSpans(
            waits,
            { least: 1_200, most: 6_000, of: 'one' },
            { what: 'the time waited', expected: 'about 2 s', observed: shownSeconds(waits) },
          )
        },
      ),
  },
  {
    // 5.5-03: X-Idempotency-Key has the notification id.
    // 5.5-01: With a secret, X-Service-Signature is sha256= followed by the hex HMAC-SHA256 of the
    //   raw payload bytes, keyed by the secret.
    // 6.2-05: The POST has X-Idempotency-Key.
    id: 'webhook.retry.same',
    title: 'every attempt has the same idempotency key, and a valid signature',
    clauses: ['5.5-03', '5.5-01', '6.2-05'],
    level: 'must',
    needs,
    run: (t) =>
      attempts(t, { answers: [500, 500, 200], params: { secret } }, 3, async (deliveries) => {
        const keys = deliveries.map(idempotencyKeyOf)
        expectThat(keys[0] !== undefined, 'X-Idempotency-Key', 'a value', keys[0])
        expectEqual(new Set(keys).size, 1, 'the number of different idempotency keys')
        for (const delivery of deliveries) expectSigned(t, delivery, secret)
      }),
  },
  {
    // 6.2-16: A retry has the same bytes as the first attempt.
    id: 'webhook.retry.same-bytes',
    title: 'every attempt has the same bytes',
    clauses: ['6.2-16'],
    level: 'should',
    needs,
    run: (t) =>
      attempts(t, { answers: [503, 503, 200] }, 3, async (deliveries) => {
        const bodies = deliveries.map(({ body }) => body.toString('base64'))
        expectEqual(new Set(bodies).size, 1, 'the number of different bodies')
      }),
  },
  // 6.2-13: A 5xx status, a broken connection and a timeout are retried.
  // 6.2-14: A response with a 2xx status ends the delivery.
  retried('webhook.retry.500', 'a 500', 500, '6.2-13'),
  retried('webhook.retry.503', 'a 503', 503, '6.2-13'),
  // 6.2-12: 429 is retried.
  // 6.2-14: A response with a 2xx status ends the delivery.
  retried('webhook.retry.429', 'a 429', 429, '6.2-12'),
  // 6.2-13: A 5xx status, a broken connection and a timeout are retried.
  // 6.2-14: A response with a 2xx status ends the delivery.
  retried('webhook.retry.reset', 'a connection that is reset', 'reset', '6.2-13'),
  retried(
    'webhook.retry.late',
    'a response after the timeout',
    { status: 200, afterMs: (timeoutSeconds + 2) * 1000 },
    '6.2-13',
  ),
  // 6.2-11: A response with a 4xx status other than 429 is not retried.
  final('webhook.no-retry.400', 400),
  final('webhook.no-retry.401', 401),
  final('webhook.no-retry.403', 403),
  final('webhook.no-retry.404', 404),
  final('webhook.no-retry.410', 410),
  final('webhook.no-retry.422', 422),
  // 4.9-07: The default of max_retries is 3.
  // 6.2-10: There are at most max_retries attempts, with or without the first one counted.
  bounded('webhook.attempts.default', 'without max_retries there are 3 retries', {}, 3, [
    '4.9-07',
    '6.2-10',
  ]),
  // 4.9-06: max_retries is optional, a number, and limits the attempts.
  // 6.2-10: There are at most max_retries attempts, with or without the first one counted.
  bounded('webhook.attempts.one', 'max_retries 1 limits the attempts', { max_retries: 1 }, 1, [
    '4.9-06',
    '6.2-10',
  ]),
  bounded(
    'webhook.attempts.none',
    'with max_retries 0 there is one attempt',
    { max_retries: 0 },
    0,
    ['4.9-06', '6.2-10'],
  ),
  {
    // 6.2-19: Whether max_retries counts the first attempt.
    id: 'webhook.attempts.reading',
    title: 'observed: whether max_retries counts the first attempt',
    clauses: ['6.2-19'],
    level: 'may',
    needs,
    run: (t) =>
      withWebhook(t, { answers: [500], params: { max_retries: 2 } }, async ({ key, box }) => {
        await failTask(t, key)
        await expectDeliveries(box, 2)
        await box.wait(3, lateMs)
        const count = box.deliveries.length
        observed(t, 'attempts', 'attempts with max_retries 2', count)
      }),
  },
  {
    // 6.2-14: A response with a 2xx status ends the delivery.
    // 4.9-04: timeout_seconds is optional, a number, and limits each request.
    id: 'webhook.slow-body',
    title: 'the connection to a receiver that answers 200 with an endless body is closed',
    clauses: ['6.2-14', '4.9-04'],
    level: 'must',
    needs,
    run: (t) =>
      withWebhook(
        t,
        {
          answers: [{ status: 200, dripMs: 100 }, 200],
          params: { timeout_seconds: 1, max_retries: 1 },
        },
        async ({ key, box }) => {
          await failTask(t, key)
          const [first] = await expectDeliveries(box, 1)
          for (let waited = 0; first?.gaveUpAt === undefined && waited < 10_000; waited += 100)
            await pause(100)
          if (first?.gaveUpAt === undefined)
            throw new NotInTime('the connection is wrong', {
              expected: 'ended within 10 s',
              observed: 'still open',
            })
          await pause(silenceMs)
          t.observe(`accepted with an endless body: ${box.deliveries.length} attempts`)
        },
      ),
  },
]
