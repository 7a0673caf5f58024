import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { engines } from 'polgate-service/store/engines.fixture.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import { openEmptyStore } from 'polgate-service/store/testing/openEmptyStore.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { startLocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const hourMs = 3_600_000

/** Answers the first attempt of each notification with 500, and keeps the second one waiting. */
async function startReceiver() {
  const attempts = new Map<string, Bytes32[]>()
  const server = createServer(async (request, response) => {
    const { notification_id: id, task_id: task } = (await json(request)) as TaskFailureNotification
    const made = [...(attempts.get(id) ?? []), task]
    attempts.set(id, made)
    if (made.length > 1) await pause(1_000)
    response.writeHead(made.length > 1 ? 200 : 500).end()
  })
  const { url } = await listen(server)
  cleanup.defer(() => drain(server))
  return {
    url,
    attemptsFor: (task: Bytes32) =>
      [...attempts.values()].find((made) => made[0] === task)?.length ?? 0,
  }
}

/** A stack with a wall clock that a test sets, and with tasks that succeed all the time. */
async function loadedStack(url: string | undefined) {
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  let store: Store | undefined
  const stack = await startLocalStack({
    parts: { clock },
    openStore: async () => {
      store = await openEmptyStore(url, { clock })
      return store
    },
  })
  cleanup.defer(() => stack.close())
  const receiver = await startReceiver()
  const client = stackClient(stack.description)
  const webhook = { url: receiver.url, secret: 'the-secret-of-a-receiver' }
  const { error } = await client.call('registerWebhook', webhook)
  expect(error).toBeUndefined()

  const acknowledged: Bytes32[] = []
  const failed: Bytes32[] = []
  const errors: unknown[] = []
  const unready: string[] = []
  let value = 0
  let stopped = false
  /** One that needs every operator fails while one is stopped. */
  async function create(quorum: { readonly quorum_threshold_percentage?: number } = {}) {
    value += 1
    const { result, error } = await client.call('createTask', {
      policy_client: stack.description.clients['allow-list']!.policyClient,
      intent: plainIntent(stack.description, value),
      timeout: 20,
      ...quorum,
    })
    if (result === undefined) errors.push(error)
    else (result.status === 'success' ? acknowledged : failed).push(result.task_id as Bytes32)
  }
  const load = (async () => {
    while (!stopped) {
      await create()
      await pause(10)
    }
  })()
  const watch = (async () => {
    while (!stopped) {
      const response = await fetch(`${stack.description.adminUrl}/readyz`)
      const text = await response.text()
      if (response.status !== 200) unready.push(text)
      await pause(50)
    }
  })()
  const stop = async () => {
    stopped = true
    await Promise.all([load, watch])
  }
  cleanup.defer(stop)
  return {
    ...{ stack, receiver, store: store!, acknowledged, failed, errors, unready, stop },
    createFailing: () => create({ quorum_threshold_percentage: 100 }),
    jump: (ms: number) => {
      aheadMs += ms
    },
    async progress() {
      const goal = acknowledged.length + 5
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(goal)
    },
  }
}

describe.each(engines)('a wall clock that jumps by hours: $name', ({ url }) => {
  it('stops nothing, loses nothing and has nothing sent twice', { timeout: 240_000 }, async () => {
    const { stack, receiver, store, ...run } = await loadedStack(url)
    const operator = stack.operators[3]!
    await run.progress()
    for (const hours of [3, -3, -5, 5, 48, -48]) {
      operator.stop()
      await run.createFailing()
      expect(run.errors).toEqual([])
      // While it is delivered, and so that a further one wakes the deliverer.
      const id = run.failed.at(-1)!
      await expect.poll(() => receiver.attemptsFor(id), { timeout: 30_000, interval: 20 }).toBe(2)
      run.jump(hours * hourMs)
      await run.createFailing()
      await operator.start()
      await run.progress()
    }
    await run.stop()
    expect(run.errors).toEqual([])
    // A check may be late on a busy machine, whatever the clock.
    const isLate = (text: string) => /^not ready\n(\w+: no answer within \d+ ms\n)+/.test(text)
    expect(run.unready.filter((text) => !isLate(text))).toEqual([])

    const none = (sql: string) =>
      expect.poll(() => store.database.query(sql), { timeout: 30_000 }).toEqual([])
    await none('select id from notifications where settled_at is null')
    await none("select id from tasks where posting = 'queued'")
    expect(run.failed.length).toBeGreaterThanOrEqual(12)
    expect(run.failed.map(receiver.attemptsFor)).toEqual(run.failed.map(() => 2))
    const rows = await store.database.query<{ id: Bytes32 }>(
      "select id from tasks where status = 'success'",
    )
    const kept = new Set(rows.map(({ id }) => id))
    expect(run.acknowledged.filter((id) => !kept.has(id.toLowerCase() as Bytes32))).toEqual([])
  })
})
