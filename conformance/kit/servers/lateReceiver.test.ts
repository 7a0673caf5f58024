import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, test } from 'vitest'
import { Untestable } from '../../core/conformanceError.ts'
import { expectSpans } from '../../core/expectSpans.ts'
import { loopWatch } from '../../core/loopWatch.ts'
import { timeoutsOf } from '../scenarios/webhookAttempts.ts'
import { startWebhookReceiver } from './webhookReceiver.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

/** A thread that sends a request at once and gives up after a second, as a gateway does. */
const sender = `
const { request } = require('node:http')
const { workerData } = require('node:worker_threads')
const sent = request(workerData, { method: 'POST' })
sent.on('error', () => {})
sent.end('{}')
setTimeout(() => sent.destroy(), 1_000)
`

/** How long the receiver saw the sender wait, with this thread blocked for `blockedMs` milliseconds. */
async function waitOf(blockedMs: number) {
  loopWatch()
  const receiver = await startWebhookReceiver()
  cleanup.defer(receiver.close)
  const box = receiver.open(['hang'])
  const url = `http://127.0.0.1:${receiver.port}${box.path}`
  const worker = new Worker(sender, { eval: true, workerData: url })
  cleanup.defer(() => worker.terminate().then(() => undefined))
  await new Promise((resolve) => worker.once('online', resolve))
  const begun = performance.now()
  while (performance.now() - begun < blockedMs);
  expect(await box.wait(1, 10_000)).toBe(true)
  while (box.deliveries[0]!.gaveUpAt === undefined) await pause(20)
  return timeoutsOf(box.deliveries)
}
const judge = (spans: Awaited<ReturnType<typeof waitOf>>, least: number) =>
  expectSpans(spans, { least, most: 30_000 }, { what: 'a', expected: 'b', observed: 'c' })

test('a suite that reads a request late blames no gateway', async () => {
  const spans = await waitOf(700)
  expect(spans[0]!.to - spans[0]!.from).toBeLessThan(800)
  expect(() => judge(spans, 800)).toThrow(Untestable)
})

test('a gateway that gives up early still fails', async () => {
  const spans = await waitOf(0)
  expect(() => judge(spans, 5_000)).toThrow(/is wrong|expected/)
  expect(() => judge(spans, 5_000)).not.toThrow(Untestable)
})
