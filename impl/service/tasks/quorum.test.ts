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
afterEach(() => {
  for (const operator of stack.service.operators) operator.start()
})
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
const messages = (result: Awaited<ReturnType<typeof create>>) =>
  (result.operator_errors ?? []).map(({ message }) => message)

describe('quorum (decision T7): stakes 40, 30, 20, 10', () => {
  const stakes = [40, 30, 20, 10]
  const sets = Array.from({ length: 16 }, (_, mask) =>
    [0, 1, 2, 3].filter((at) => (mask >> at) & 1),
  )
  it.each(sets.flatMap((stopped) => [60, 67, 71].map((threshold) => ({ stopped, threshold }))))(
    'without $stopped at $threshold percent',
    async ({ stopped, threshold }) => {
      for (const at of stopped) stack.service.operators[at]!.stop()
      const signed = stakes.reduce((sum, stake, at) => sum + (stopped.includes(at) ? 0 : stake), 0)
      const result = await create('allow-list', { quorum_threshold_percentage: threshold })
      expect(result.status).toBe(signed >= threshold ? 'success' : 'failed')
      expect(messages(result)).toEqual(
        stopped.map(() => 'operator unreachable: connection refused'),
      )
      const nonSigners =
        result.aggregation_response?.non_signer_stakes_and_signature.nonSignerPubkeys
      if (signed >= threshold) expect(nonSigners).toHaveLength(stopped.length)
      else {
        expect(result.aggregation_response).toBeNull()
        expect(result.error).toBe(
          `Quorum not reached: stake ${signed} of the required ${threshold} signed${signed === 0 ? ': operator unreachable: connection refused' : ''}`,
        )
        expect(result.operator_errors!.every(({ retryable }) => retryable)).toBe(true)
      }
    },
  )

  it('does not attest without a signer, even at a threshold of 0', async () => {
    expect(await create('allow-list', { quorum_threshold_percentage: 0 })).toMatchObject({
      status: 'success',
    })
    for (const operator of stack.service.operators) operator.stop()
    expect(await create('allow-list', { quorum_threshold_percentage: 0 })).toMatchObject({
      status: 'failed',
      aggregation_response: null,
    })
  })

  it('stores the failure with its notification', async () => {
    stack.service.operators[0]!.stop()
    const { task_id } = await create()
    const [notification] = await stack.service.store.notifications.forTask(task_id!)
    expect(notification!.payload).toMatchObject({
      task_id,
      failure_type: 'quorum_not_reached',
      context: { signed_stake: '60', required_stake: '67', operator_count: 3 },
      is_recoverable: true,
    })
    expect(await stack.service.store.tasks.get(task_id!)).toMatchObject({
      status: 'failed',
      error: 'Quorum not reached: stake 60 of the required 67 signed',
    })
  })

  it('rejects invalid quorums', async () => {
    const call = (quorum_number: string) =>
      client.call('createTask', task('allow-list', { quorum_number }))
    expect((await call('')).error?.code).toBe(-32602)
    expect((await call('0100')).error?.code).toBe(-32602)
    expect((await call('00')).result).toMatchObject({ status: 'success' })
    expect((await call('07')).error).toEqual({
      code: -32602,
      message: 'Invalid request format: quorum_number contains quorum 7, which does not exist',
    })
  })
})
