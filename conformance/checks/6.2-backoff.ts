import type { Check } from '../core/check.ts'
import { NotInTime } from '../core/conformanceError.ts'
import { expectSpans, type Span } from '../core/expectSpans.ts'
import { expectDecidedTime } from '../kit/assertions/observed.ts'
import {
  attempts,
  early,
  gapsOf,
  lateMs,
  shownGaps,
  waitsOf,
} from '../kit/scenarios/webhookAttempts.ts'
import { expectDeliveries, failTask, webhookNeeds, withWebhook } from '../kit/scenarios/webhooks.ts'

/** Sections 6.2 and 8: the waits between the attempts of a delivery. */
const needs = webhookNeeds

/**
 * Exponential with an unspecified base: each wait is at least half as long again, up to the cap.
 */
const leastWait = (retry: number) => Math.min(100 * 1.5 ** retry, 10_000)

/** The first retry comes after 100 ms; through a network every delivery takes as long as a response. */
const soonMs = 500

export const backoffChecks: readonly Check[] = [
  {
    // 6.2-09: The backoff is capped at 10 seconds.
    // 6.2-08: Retries back off exponentially.
    id: 'webhook.backoff.cap',
    title: 'the backoff grows to at most 10 seconds',
    clauses: ['6.2-09', '6.2-08'],
    level: 'must',
    needs,
    run: (t) =>
      withWebhook(t, { answers: [500], params: { max_retries: 10 } }, async ({ key, box }) => {
        await failTask(t, key)
        // 100, 200 ... 6,400 ms, and then 10,000 instead of 12,800.
        await expectDeliveries(box, 9, 90_000)
        // A wait of a few seconds may be the cap of a gateway whose cap is too low: the next ones tell.
        if (gapsOf(box.deliveries).at(-1)! < 3_000) {
          await box.wait(11, box.patienceMs(30_000))
          // 10 attempts where the first one is counted.
          await expectDeliveries(box, 10)
        }
        const grown = gapsOf(box.deliveries)
        t.observe(`attempts ${shownGaps(box.deliveries)} apart`)
        const waits = waitsOf(box.deliveries)
        const shown = shownGaps(box.deliveries)
        expectSpans(
          waits.slice(-1),
          { least: early * leastWait(grown.length - 1) },
          { what: 'the waits', expected: 'growing to 10 s', observed: shown },
        )
        // By how much they grow is open.
        expectDecidedTime(t, 'waits', 'the waits', shownGaps(box.deliveries), { early, grown })
        if (Math.max(...grown) < 12_000) return
        // Wait for a late attempt: without a cap the next one would come after 25,600.
        await box.wait(10, 10_000 + lateMs)
        const what = 'the longest wait'
        const most = 10_000 + lateMs
        const last = box.deliveries.at(-1)!.at
        const open = box.deliveries.length < 10
        expectSpans(
          // An attempt that is still missing is one that comes later than now.
          [...waitsOf(box.deliveries), ...(open ? [{ from: last, to: performance.now() }] : [])],
          { most },
          { what, expected: 'about 10 s', observed: shownGaps(box.deliveries) },
        )
        if (open)
          throw new NotInTime(`${what} is wrong`, {
            expected: 'about 10 s',
            observed: `more than ${most} ms`,
          })
      }),
  },
  {
    // 6.2-07: The first retry comes after 100 ms.
    id: 'webhook.backoff.soon',
    title: 'the first retry comes within half a second, for at least one failure in ten',
    clauses: ['6.2-07'],
    level: 'must',
    needs,
    run: async (t) => {
      // A busy machine may delay a retry, but hardly each of ten.
      const waits: number[] = []
      const spans: Span[] = []
      const soon = () => soonMs + t.latencyMs()
      for (let failure = 0; failure < 10 && !waits.some((wait) => wait <= soon()); failure++)
        await attempts(t, { answers: [500, 200] }, 2, async (deliveries) => {
          waits.push(Math.round(gapsOf(deliveries)[0]!))
          spans.push(waitsOf(deliveries)[0]!)
        })
      t.observe(`first retries after ${waits.join(', ')} ms`)
      const shortest = Math.min(...waits)
      const what = 'the shortest wait before a first retry'
      const observed = `${shortest} ms`
      expectSpans(spans, { least: early * 100 }, { what, expected: '100 ms or more', observed })
      const expected = `about 100 ms, at most ${Math.round(soon())} ms`
      expectSpans(spans, { most: soon(), of: 'one' }, { what, expected, observed })
      expectDecidedTime(t, 'shortest-wait', what, observed, { shortest })
    },
  },
  {
    // 6.2-07: The first retry comes after 100 ms.
    // 6.2-08: Retries back off exponentially.
    id: 'webhook.backoff.first',
    title: 'the first retry comes after 100 ms, later ones after longer waits',
    clauses: ['6.2-07', '6.2-08'],
    level: 'must',
    needs,
    run: (t) =>
      attempts(
        t,
        { answers: [500, 500, 500, 500, 200], params: { max_retries: 5 } },
        5,
        async (deliveries) => {
          t.observe(`attempts ${shownGaps(deliveries)} apart`)
          for (const [i, gap] of gapsOf(deliveries).entries()) {
            const least = leastWait(i)
            const what = `the wait before retry ${i + 1}`
            const shown = `${Math.round(gap)} ms`
            // What comes after the first is bounded by the cap alone.
            const most = (i === 0 ? 100 : 10_000) + lateMs
            expectSpans(
              waitsOf(deliveries).slice(i, i + 1),
              { least: early * least, most },
              {
                what,
                expected: `${Math.round(least)} ms or more, without much delay`,
                observed: shown,
              },
            )
            expectDecidedTime(t, 'wait', what, shown, { gap, retry: i, lateMs })
          }
        },
      ),
  },
]
