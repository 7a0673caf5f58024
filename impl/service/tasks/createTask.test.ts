import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

beforeAll(async () => {
  stack = await startTestStack()
  description = stack.description
  client = stackClient(description)
})
afterEach(() => stack.fixtureHost.reset())
afterAll(() => stack.close())

let value = 0
function task(fixture = 'allow-list', more: Record<string, unknown> = {}) {
  value += 1
  return {
    policy_client: description.clients[fixture]!.policyClient,
    intent: plainIntent(description, value),
    ...more,
  }
}
const create = async (...args: Parameters<typeof task>) =>
  (await client.call('createTask', task(...args))).result!
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})

describe('the life cycle of a task', () => {
  it('ends at the timeout, with all of its work', async () => {
    stack.fixtureHost.setMode('slow')
    const begin = performance.now()
    const result = await create('priced-transfer', { wasm_args: eth, timeout: 0.5 })
    // The oracle's host takes thirty seconds to answer.
    expect(performance.now() - begin).toBeLessThan(20_000)
    expect(result).toMatchObject({
      status: 'timeout',
      error: 'Task timeout',
      aggregation_response: null,
    })
    const [notification] = await stack.service.store.notifications.forTask(result.task_id!)
    expect(notification!.payload).toMatchObject({ failure_type: 'timeout', is_recoverable: true })
  })

  it('allows one task per intent at a time, and a repetition afterwards (decisions T2, T4)', async () => {
    stack.fixtureHost.setMode('slow')
    const params = task('priced-transfer', { wasm_args: eth, timeout: 3 })
    const first = client.call('createTask', params)
    await expect.poll(() => stack.service.store.tasks.listUnfinished()).toHaveLength(1)
    const second = (await client.call('createTask', params)).result!
    expect(second.status).toBe('failed')
    expect(second.error).toMatch(/^TaskAlreadyExists/)
    expect((await first).result!.status).toBe('timeout')
    stack.fixtureHost.setMode('ok')
    const third = (await client.call('createTask', { ...params, timeout: 30 })).result!
    expect(third).toMatchObject({ status: 'success', task: { nonce: 1 } })
    expect(third.task_id).not.toBe((await first).result!.task_id)
  })

  it('expires the configured number of blocks after its reference block', async () => {
    const { reference_block, expiration, task_response } = await create('short-lived')
    expect(expiration! - reference_block!).toBe(3)
    expect(task_response!.policy_config.expireAfter).toBe(3)
  })

  it('reports an incompatible version by its code', async () => {
    const policy = await client.call('createTask', task('policy-of-version-9'))
    expect(policy.error).toMatchObject({ code: -32618 })
    const data = await client.call('createTask', task('policy-data-of-version-9'))
    expect(data.error).toMatchObject({ code: -32619 })
  })

  it('fails with a contract read error for an address that is not a client', async () => {
    const { result } = await client.call('createTask', {
      ...task(),
      policy_client: description.accounts.recipient.address,
    })
    expect(result).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Contract read failed: /),
    })
  })

  it.each(['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`])(
    'does not start with the signature %s',
    async (intent_signature) => {
      const result = await create('allow-list', { intent_signature })
      expect(result.status).toBe('failed')
      expect(result.error).toMatch(/^Failed to encode intent signature.*expected exactly 65 bytes/)
      expect(result.task_id).toBeUndefined()
    },
  )

  it('continues with calldata that does not decode (decision R3)', async () => {
    const { status } = await create('allow-list', {
      intent: { ...plainIntent(description, 77), data: '0xdeadbeef', function_signature: '0x1234' },
    })
    expect(status).toBe('success')
  })
})
