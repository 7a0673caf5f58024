import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openOutbox } from './outbox.fixture.ts'
import { startReceiver } from './receiver.fixture.ts'

const replies = [200, 204, 302, 404, 410, 429, 500, 503, 'reset'] as const
type Reply = (typeof replies)[number] | 'hang'

/** A minimal model of section 6.2 and decision W6. */
function model(answers: readonly Reply[], maxRetries: number) {
  let attempts = 0
  for (const answer of answers.slice(0, maxRetries + 1)) {
    attempts += 1
    if (answer === 200 || answer === 204) return { attempts, outcome: 'delivered' }
    if (answer === 404 || answer === 410) return { attempts, outcome: 'refused' }
  }
  return { attempts, outcome: 'exhausted' }
}

const scenario = fc.record({
  maxRetries: fc.integer({ min: 0, max: 3 }),
  // Five: one more than the maximum number of attempts, to detect an extra one.
  answers: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...replies) },
      { weight: 1, arbitrary: fc.constant('hang' as const) },
    ),
    { minLength: 5, maxLength: 5 },
  ),
})

/** All at the same time: each mostly waits for its retries and timeouts. */
const batches = fc.array(fc.array(scenario, { minLength: 1, maxLength: 12 }), {
  minLength: 8,
  maxLength: 8,
})

it('attempts and outcome match the model for any responses', async () => {
  const bed = await openOutbox()
  try {
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        await Promise.all(
          all.flat().map(async ({ answers, maxRetries }) => {
            const receiver = await startReceiver()
            receiver.reply(...answers)
            const key = await bed.key({
              url: receiver.url,
              max_retries: maxRetries,
              // Long where no timeout is intended, for busy machines.
              timeout_seconds: answers.includes('hang') ? 2 : 30,
            })
            const { notification_id, task_id } = await bed.fail(key)
            const record = async () => (await bed.store.notifications.forTask(task_id))[0]
            await expect
              .poll(async () => (await record())?.outcome, { timeout: 60_000, interval: 200 })
              .toBeTruthy()
            const { attempts, outcome } = (await record())!
            expect({ attempts, outcome }).toEqual(model(answers, maxRetries))
            expect(receiver.received).toHaveLength(attempts)
            for (const { headers, body } of receiver.received) {
              expect(headers['x-idempotency-key']).toBe(notification_id)
              expect(body).toEqual(receiver.received[0]!.body)
            }
            await receiver.close()
          }),
        )
      }),
      { numRuns: 1, endOnFailure: true },
    )
  } finally {
    await bed.close()
  }
}, 180_000)
