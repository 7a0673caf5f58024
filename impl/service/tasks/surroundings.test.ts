import { createChainClient } from 'polgate-chain/client.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TaskChain } from './taskChain.ts'

/** Failures around a task: unregistered operators, a chain that rejects calls or is unavailable. */

const stranger = { address: `0x${'57'.repeat(20)}`, blsKey: '57'.repeat(32) } as const
let stack: LocalStack
let twist: Partial<TaskChain> = {}

beforeAll(async () => {
  stack = await startTestStack({
    // The last of the four is registered and not connected; an unregistered one is connected.
    config: (config) => ({
      ...config,
      operators: [...config.operators!.slice(0, 3), { kind: 'local', ...stranger }],
    }),
    parts: {
      chain: (chain) =>
        new Proxy(chain, { get: (target, name) => Reflect.get({ ...target, ...twist }, name) }),
    },
  })
})
afterEach(() => {
  twist = {}
})
afterAll(() => stack.close())

let value = 0
async function create() {
  value += 1
  return (
    await stackClient(stack.description).call('createTask', {
      policy_client: stack.description.clients['allow-list']!.policyClient,
      intent: plainIntent(stack.description, value),
    })
  ).result!
}

const send = () =>
  stackClient(stack.description).call('sendTask', {
    policy_client: stack.description.clients['allow-list']!.policyClient,
    intent: plainIntent(stack.description, value),
  })

describe('operators', () => {
  it('count only if registered and connected', async () => {
    const result = await create()
    expect(result.status).toBe('success')
    expect(result.operator_errors).toMatchObject([
      {
        operator_address: stranger.address,
        error_code: -32617,
        message: 'operator is not registered for the quorums of the task',
        retryable: false,
      },
      {
        operator_address: stack.description.operators[3]!.address,
        message: 'operator unreachable: not connected to this gateway',
        retryable: true,
      },
    ])
  })
})

describe('the chain', () => {
  const unreachable = createChainClient({ rpcUrl: 'http://127.0.0.1:1', timeout: 500 })

  it('may reject a posting without effect on the result (decision T10)', async () => {
    twist = { post: () => Promise.reject(new Error('nonce too low')) }
    const { status, task_id } = await create()
    expect(status).toBe('success')
    const { notifications, tasks } = stack.service.store
    await expect
      .poll(() => notifications.forTask(task_id!))
      .toMatchObject([
        {
          payload: {
            failure_type: 'onchain_submission_failed',
            error_message: 'On-chain submission failed: nonce too low',
          },
        },
      ])
    expect((await tasks.get(task_id!))?.status).toBe('success')
  })

  it('fails the task recoverably if it does not answer', async () => {
    const { readTask } = await import('polgate-chain/reads.ts')
    twist = {
      clientAndOperators: (policyClient, quorumNumbers) =>
        readTask({
          client: unreachable,
          policyClient,
          quorumNumbers,
          operatorRegistry: stack.description.chain.operatorRegistry,
        }),
    }
    const result = await create()
    expect(result.status).toBe('failed')
    expect(result.error).toMatch(/^Contract read failed: /)
    const [notification] = await stack.service.store.notifications.forTask(result.task_id!)
    expect(notification!.payload).toMatchObject({ is_recoverable: true, retry_after_seconds: 5 })
  })

  it('fails a task in time even if it hangs', async () => {
    twist = { clientAndOperators: () => new Promise(() => {}) }
    value += 1
    const { result } = await stackClient(stack.description).call('createTask', {
      policy_client: stack.description.clients['allow-list']!.policyClient,
      intent: plainIntent(stack.description, value),
      timeout: 0.3,
    })
    expect(result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
  })

  it('admits no task without a latest block', async () => {
    const message = 'Contract read failed: connection refused'
    const gone = new ChainReadError('unreachable', 'connection refused', { hint: 'none' })
    twist = { latestBlock: () => Promise.reject(gone) }
    const result = await create()
    expect(result).toMatchObject({ status: 'failed', error: message, aggregation_response: null })
    expect(result.task_id).toBeUndefined()
    expect(await send()).toMatchObject({ error: { code: -32616, message } })
    twist = {}
    // A task that was not stored does not block the intent.
    expect(await send()).toMatchObject({ result: { task_id: expect.any(String) } })
  })

  it('ends a task in time if the latest block hangs', async () => {
    twist = { latestBlock: () => new Promise(() => {}) }
    value += 1
    const { result } = await stackClient(stack.description).call('createTask', {
      policy_client: stack.description.clients['allow-list']!.policyClient,
      intent: plainIntent(stack.description, value),
      timeout: 0.3,
    })
    expect(result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
  })

  it('is read at the block of the task id, even if there is a later one', async () => {
    const blocks: (number | undefined)[] = []
    const { clientAndOperators } = stackChain()
    twist = {
      clientAndOperators: async (policyClient, quorums, block) => {
        blocks.push(block)
        await stack.mine(1)
        return await clientAndOperators(policyClient, quorums, block)
      },
    }
    const { reference_block, task } = await create()
    expect(blocks).toEqual([reference_block])
    expect(task).toMatchObject({ taskCreatedBlock: reference_block })
  })

  it('must have clients of the task manager of this service', async () => {
    const taskManager = stack.description.accounts.recipient.address
    const { clientAndOperators } = stackChain()
    twist = {
      clientAndOperators: async (...asked) => {
        const { client, operatorSet } = await clientAndOperators(...asked)
        return { client: { ...client, taskManager }, operatorSet }
      },
    }
    expect((await create()).error).toContain(`trusts another task manager, ${taskManager}`)
  })

  it('does not expose unexpected errors', async () => {
    twist = { clientAndOperators: () => Promise.reject(new Error('a secret of the house')) }
    const result = await create()
    expect(result).toMatchObject({ status: 'failed', error: 'Internal error' })
    expect(JSON.stringify(result)).not.toContain('secret of the house')
  })
})

const stackChain = () => ({
  clientAndOperators: async (
    policyClient: `0x${string}`,
    quorumNumbers: readonly number[],
    block: number,
  ) => {
    const { readTask } = await import('polgate-chain/reads.ts')
    const { rpcUrl, operatorRegistry } = stack.description.chain
    const client = createChainClient({ rpcUrl })
    const blockNumber = BigInt(block)
    return await readTask({ client, policyClient, operatorRegistry, quorumNumbers, blockNumber })
  },
})
