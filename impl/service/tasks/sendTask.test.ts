import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TaskMessage, TaskUpdates } from './taskUpdates.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
let updates: TaskUpdates
const heard = new Map<string, TaskMessage[]>()

beforeAll(async () => {
  stack = await startTestStack({
    parts: {
      taskDeps: (deps) => {
        updates = deps.updates
        return deps
      },
    },
  })
  description = stack.description
  client = stackClient(description)
  updates.subscribeAll((news) => {
    const id = news.kind === 'update' ? news.update.task_id : news.notification.task_id
    heard.set(id, [...(heard.get(id) ?? []), news])
  })
})
afterEach(() => {
  stack.fixtureHost.reset()
  for (const operator of stack.service.operators) operator.start()
})
afterAll(() => stack.close())

let value = 500
function task(fixture = 'allow-list', more: Record<string, unknown> = {}) {
  value += 1
  return {
    policy_client: description.clients[fixture]!.policyClient,
    intent: plainIntent(description, value),
    ...more,
  }
}
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
async function ended(id: Bytes32) {
  await expect
    .poll(async () => (await stack.service.store.tasks.get(id))?.finishedAt ?? null, {
      timeout: 60_000,
    })
    .not.toBeNull()
  return (await stack.service.store.tasks.get(id))!
}
const newsOf = (id: string) => heard.get(id) ?? []
const updatesOf = (id: string): TaskUpdate[] =>
  newsOf(id).flatMap((news) => (news.kind === 'update' ? [news.update] : []))

/** Properties of the updates of every task (section 6.1, decision W4). */
function expectOrder(all: readonly TaskUpdate[]) {
  const rank = { pending: 0, processing: 1, success: 2, failed: 2, timeout: 2 }
  const final = all.at(-1)!
  expect(['success', 'failure']).toContain(final.event)
  expect(final.data.progress).toBe(100)
  all.forEach((update, at) => {
    const { data, event } = update
    if (at < all.length - 1) {
      expect(['status_update', 'operator_response']).toContain(event)
      expect(data.progress).toBeLessThan(100)
      expect(data.result).toBeNull()
    }
    if (at === 0) return
    const before = all[at - 1]!.data
    expect(data.progress).toBeGreaterThanOrEqual(before.progress)
    expect(rank[data.status]).toBeGreaterThanOrEqual(rank[before.status])
    expect(data.operator_responses.slice(0, before.operator_responses.length)).toEqual(
      before.operator_responses,
    )
    if (event === 'operator_response')
      expect(data.operator_responses.length).toBe(before.operator_responses.length + 1)
  })
}

describe('sendTask (section 4.3)', () => {
  it('responds while the task is in flight, and publishes the result as updates', async () => {
    stack.fixtureHost.setMode('slow')
    const params = task('priced-transfer', { wasm_args: eth })
    const { status, result, error } = await client.call('sendTask', params)
    expect({ status, error }).toEqual({ status: 200, error: undefined })
    expect(result).toEqual({
      task_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      subscription_topic: `service.task.${result!.task_id}`,
      message: expect.stringContaining('Task submitted'),
      timestamp: expect.any(Number),
    })
    const id = result!.task_id
    expect(await stack.service.store.tasks.get(id)).toMatchObject({
      method: 'sendTask',
      finishedAt: null,
    })
    expect(updates.latest(id)?.data.result).toBeNull()
    const second = await client.call('sendTask', params)
    expect(second.error).toMatchObject({
      code: -32616,
      message: `TaskAlreadyExists: ${id} is in progress for this intent`,
    })
    const stored = await ended(id)
    expect(stored.status).not.toBe('pending')
    expectOrder(updatesOf(id))
  })

  it('publishes every step of a successful task', async () => {
    const { result } = await client.call('sendTask', task('priced-transfer', { wasm_args: eth }))
    const id = result!.task_id
    const stored = await ended(id)
    expect(stored).toMatchObject({ status: 'success', error: null })
    const all = updatesOf(id)
    expectOrder(all)
    expect(all.map(({ event, data }) => `${event} ${data.status}`)).toEqual([
      'status_update pending',
      'status_update processing',
      ...Array(8).fill('operator_response processing'),
      'success success',
    ])
    const { data } = all.at(-1)!
    expect(data.result).toEqual(stored.result)
    expect(data.operator_responses.map(({ phase, success }) => ({ phase, success }))).toEqual([
      ...Array(4).fill({ phase: 'data', success: true }),
      ...Array(4).fill({ phase: 'signature', success: true }),
    ])
    expect(newsOf(id).every(({ kind }) => kind === 'update')).toBe(true)
    expect(updates.latest(id)).toBeUndefined()
  })

  it('publishes a failure, then its notification, once they are stored', async () => {
    stack.service.operators[0]!.stop()
    const { result } = await client.call('sendTask', task())
    const id = result!.task_id
    const stored = await ended(id)
    expect(stored).toMatchObject({ status: 'failed', method: 'sendTask' })
    const [notification] = await stack.service.store.notifications.forTask(id)
    expectOrder(updatesOf(id))
    expect(newsOf(id).slice(-2)).toMatchObject([
      { kind: 'update', update: { event: 'failure', data: { result: stored.result } } },
      { kind: 'notification', notification: notification!.payload },
    ])
    const failed = updatesOf(id)
      .at(-1)!
      .data.operator_responses.filter(({ success }) => !success)
    expect(failed).toMatchObject([
      { phase: 'signature', error: 'operator unreachable: connection refused' },
    ])
  })

  it('rejects what can never be evaluated as createTask does, and creates no task', async () => {
    const count = async () =>
      (await stack.service.store.database.query('select count(*)::int as n from tasks'))[0]!.n
    const before = await count()
    for (const [fixture, more] of [
      ['policy-of-version-9', {}],
      ['policy-data-of-version-9', {}],
      ['allow-list', { quorum_number: '0x07' }],
    ] as const) {
      const sent = await client.call('sendTask', task(fixture, more))
      const created = await client.call('createTask', task(fixture, more))
      expect(sent.error).toEqual(created.error)
      expect([-32618, -32619, -32602]).toContain(sent.error?.code)
    }
    expect(await count()).toBe(before)
  })

  it.each(['0x', `0x${'11'.repeat(64)}`])('rejects the signature %s', async (intent_signature) => {
    const { result, error } = await client.call(
      'sendTask',
      task('allow-list', { intent_signature }),
    )
    expect(result).toBeUndefined()
    expect(error).toMatchObject({
      code: -32615,
      message: expect.stringMatching(/^Failed to encode intent signature.*exactly 65 bytes/),
    })
  })

  it('ignores timeout and calldata options, which belong to createTask', async () => {
    const { result } = await client.call(
      'sendTask',
      task('allow-list', { timeout: 0.001, include_validate_calldata: true }),
    )
    const stored = await ended(result!.task_id)
    expect(stored.status).toBe('success')
    expect(stored.result!.validate_calldata).toBeUndefined()
    const limit = stored.deadline.getTime() - stored.createdAt.getTime()
    expect(limit).toBeGreaterThan(20_000)
    expect(limit).toBeLessThanOrEqual(30_000)
  })

  it('publishes the same updates for tasks of createTask', async () => {
    const { result } = await client.call('createTask', task())
    const all = updatesOf(result!.task_id!)
    expectOrder(all)
    expect(all.at(-1)!.data.result).toEqual(result)
  })

  it('ends on close with a failure', async () => {
    const other = await startTestStack({
      parts: {
        taskDeps: (deps) => {
          deps.updates.subscribeAll((news) => {
            const id = news.kind === 'update' ? news.update.task_id : news.notification.task_id
            heard.set(id, [...(heard.get(id) ?? []), news])
          })
          return deps
        },
      },
    })
    other.fixtureHost.setMode('slow')
    const { result } = await stackClient(other.description).call('sendTask', {
      ...task('priced-transfer', { wasm_args: eth }),
      policy_client: other.description.clients['priced-transfer']!.policyClient,
    })
    await other.close()
    const all = updatesOf(result!.task_id)
    expectOrder(all)
    expect(all.at(-1)!.data.result!.error).toMatch(/^Task interrupted/)
    expect(newsOf(result!.task_id).at(-1)).toMatchObject({
      kind: 'notification',
      notification: { failure_type: 'internal_error', is_recoverable: true },
    })
  })
})
