import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { devOperators } from 'polgate-local/devKeys.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blsKey } from '../attestation/bls.ts'
import type { Operator, SignAnswer, SignRequest } from '../operators/operator.ts'
import { regoFailed } from '../operators/operatorErrors.ts'
import type { TaskChain } from './taskChain.ts'
import { signed } from './testing/pipeline.ts'

/** Every failure type of section 6.3 and every code of section 7.2, in the real service. */

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
let twist: Partial<TaskChain> = {}
/** The unmodified chain, for tests that replace parts of it. */
let plain: TaskChain
/** Replacement of `sign`, by operator index. */
const signing = new Map<
  number,
  (answer: () => Promise<SignAnswer>, request: SignRequest) => Promise<SignAnswer>
>()
let connected = 0
function twisted(operator: Operator): Operator {
  const place = connected++
  return {
    ...operator,
    sign: (request, signal) => {
      const honest = () => operator.sign(request, signal)
      return (signing.get(place) ?? ((answer) => answer()))(honest, request)
    },
  }
}

beforeAll(async () => {
  stack = await startTestStack({
    // On a busy machine a slow operator must still count.
    config: (config) => ({ ...config, operatorGraceMs: 20_000 }),
    parts: {
      operator: twisted,
      chain: (chain) => {
        plain = chain
        return new Proxy(chain, {
          get: (target, name) => Reflect.get({ ...target, ...twist }, name),
        })
      },
    },
  })
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  twist = {}
  signing.clear()
  stack.fixtureHost.reset()
  for (const operator of stack.service.operators) operator.start()
})
afterAll(() => stack.close())

let value = 9_000
function task(fixture = 'allow-list', more: Record<string, unknown> = {}) {
  value += 1
  return {
    policy_client: description.clients[fixture]!.policyClient,
    intent: plainIntent(description, value),
    ...more,
  }
}
/** Creates a task; returns its result and the stored notification. */
async function fail(...args: Parameters<typeof task>) {
  const { result } = await client.call('createTask', task(...args))
  const notifications = await stack.service.store.notifications.forTask(result!.task_id!)
  expect(notifications).toHaveLength(1)
  const { payload } = notifications[0]!
  expect(payload).toMatchObject({ task_id: result!.task_id, error_message: result!.error })
  expect(payload.retry_after_seconds).toBe(payload.is_recoverable ? 5 : null)
  return { result: result!, payload }
}
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})

describe('failure types (section 6.3)', () => {
  it('channel_error: no operator can be reached', async () => {
    for (const operator of stack.service.operators) operator.stop()
    const { result, payload } = await fail()
    expect(result.status).toBe('failed')
    expect(payload).toMatchObject({
      failure_type: 'channel_error',
      is_recoverable: true,
      context: { signed_stake: '0', required_stake: '67', operator_count: 0 },
    })
    expect(result.error).toMatch(
      /^Quorum not reached: stake 0 of the required 67 signed: operator unreachable: [^;]+$/,
    )
  })

  it('timeout', async () => {
    stack.fixtureHost.setMode('slow')
    const { result, payload } = await fail('priced-transfer', { wasm_args: eth, timeout: 0.3 })
    expect(result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
    expect(payload).toMatchObject({ failure_type: 'timeout', is_recoverable: true })
  })

  it('quorum_not_reached: too few can be reached', async () => {
    stack.service.operators[0]!.stop()
    const { payload } = await fail()
    expect(payload).toMatchObject({
      failure_type: 'quorum_not_reached',
      is_recoverable: true,
      context: { signed_stake: '60', required_stake: '67', operator_count: 3 },
    })
  })

  it('policy_evaluation_failed: Rego, even if another operator failed differently', async () => {
    const broken = () => Promise.reject(regoFailed('out of order'))
    signing.set(0, broken).set(1, broken).set(2, broken)
    stack.service.operators[3]!.stop()
    const { result, payload } = await fail()
    expect(result.error).toBe('Rego evaluation failed: out of order')
    expect(result.operator_errors).toHaveLength(4)
    expect(payload).toMatchObject({
      failure_type: 'policy_evaluation_failed',
      is_recoverable: false,
      context: { error_code: -32615, signed_stake: '0', required_stake: '67' },
    })
  })

  it('policy_evaluation_failed: an oracle that traps', async () => {
    const { result, payload } = await fail('trapping-oracle')
    expect(result.error).toMatch(/^WASM execution failed: /)
    expect(result.operator_errors!.map(({ error_code }) => error_code)).toContain(-32620)
    expect(payload).toMatchObject({
      failure_type: 'policy_evaluation_failed',
      context: { error_code: -32620 },
    })
  })

  it('does not blame the policy if a single small operator cannot evaluate it', async () => {
    signing.set(3, () => Promise.reject(regoFailed('out of order')))
    stack.service.operators[0]!.stop()
    const { result, payload } = await fail()
    expect(result.error).toBe('Quorum not reached: stake 50 of the required 67 signed')
    expect(payload.failure_type).toBe('quorum_not_reached')
  })

  it('signature_verification_failed: signatures of other keys', async () => {
    signing.set(0, async (answer) => ({
      ...(await answer()),
      signature: { X: '0x01', Y: '0x02' },
    }))
    const { result, payload } = await fail()
    expect(result.error).toBe(
      "Quorum not reached: stake 60 of the required 67 signed: invalid operator signature: does not verify against the operator's key",
    )
    expect(payload).toMatchObject({
      failure_type: 'signature_verification_failed',
      is_recoverable: false,
      context: { signed_stake: '60', operator_count: 3 },
    })
  })

  it('quorum_not_reached: valid signatures over different results', async () => {
    const key = blsKey(Buffer.from(devOperators[0]!.blsKey.slice(2), 'hex'))
    signing.set(0, async (_, request) => signed(request, key, `0x${'0'.repeat(63)}2`))
    expect((await fail()).payload.failure_type).toBe('quorum_not_reached')
  })

  it('signature_verification_failed: one result returned, another one signed', async () => {
    signing.set(0, async (answer) => ({
      ...(await answer()),
      evaluationResult: `0x${'0'.repeat(63)}2`,
    }))
    expect((await fail()).payload.failure_type).toBe('signature_verification_failed')
  })

  it('onchain_submission_failed: the task itself stays a success', async () => {
    twist = { post: () => Promise.reject(new Error('nonce too low')) }
    const { result } = await client.call('createTask', task())
    expect(result!.status).toBe('success')
    await expect
      .poll(() => stack.service.store.notifications.forTask(result!.task_id!), { timeout: 60_000 })
      .toMatchObject([{ payload: { failure_type: 'onchain_submission_failed' } }])
  })

  it('internal_error: an unexpected error, whose message is not exposed', async () => {
    twist = { clientAndOperators: () => Promise.reject(new Error('a secret of the house')) }
    const { result, payload } = await fail()
    expect(result.error).toBe('Internal error')
    expect(payload).toMatchObject({ failure_type: 'internal_error', is_recoverable: true })
    expect(JSON.stringify([result, payload])).not.toContain('secret of the house')
  })
})

describe('service codes (section 7.2)', () => {
  it('-32616: a chain that rejects a call, and a client of another task manager', async () => {
    const none = await client.call('createTask', {
      ...task(),
      policy_client: description.accounts.recipient.address,
    })
    expect(none.result!.error).toMatch(/^Contract read failed: /)
    const taskManager = description.accounts.recipient.address
    twist = {
      clientAndOperators: async (...args) => {
        const { client: context, operatorSet } = await plain.clientAndOperators(...args)
        return { client: { ...context, taskManager }, operatorSet }
      },
    }
    const { result } = await client.call('createTask', task())
    expect(result!.error).toContain('trusts another task manager')
    expect(await client.call('sendTask', task())).toMatchObject({
      error: { code: -32616, message: expect.stringContaining('trusts another task manager') },
    })
  })

  it('-32617: no connected operator is registered', async () => {
    twist = {
      clientAndOperators: async (...args) => {
        const { client: context, operatorSet } = await plain.clientAndOperators(...args)
        return { client: context, operatorSet: { ...operatorSet, operators: [] } }
      },
      operatorSet: async (...args) => ({ ...(await plain.operatorSet(...args)), operators: [] }),
    }
    const { result, payload } = await fail()
    expect(result.error).toMatch(/^Operator not registered: none of the 4 connected operators/)
    expect(result.operator_errors!.map(({ error_code }) => error_code)).toEqual(
      Array(4).fill(-32617),
    )
    expect(payload).toMatchObject({
      failure_type: 'quorum_not_reached',
      context: { error_code: -32617, required_stake: '67', signed_stake: '0' },
    })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { policyId, policyAddress } = description.clients['allow-list']!
    const policy_task_data = { policyId, policyAddress, policy: '0x', policyData: [] }
    const { intent } = task()
    expect(await client.call('simulateTask', { intent, policy_task_data })).toMatchObject({
      result: null,
      error: { ServiceUnavailable: 'No operators available' },
      id: null,
    })
  })

  it('-32620: a component that no source has', async () => {
    const wasmCid = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
    twist = {
      clientAndOperators: async (...args) => {
        const { client: context, operatorSet } = await plain.clientAndOperators(...args)
        const policyData = context.policyData.map((one) => ({ ...one, wasmCid }))
        return { client: { ...context, policyData }, operatorSet }
      },
      policyData: async (each) => ({ ...(await plain.policyData(each)), wasmCid }),
    }
    const { result } = await fail('priced-transfer', { wasm_args: eth })
    expect(result.operator_errors).toMatchObject(
      Array(4).fill({
        error_code: -32620,
        message: `WASM execution failed: the content ${wasmCid} is unavailable: no source has it`,
        retryable: true,
      }),
    )
    const simulated = await client.call('simulatePolicyData', {
      policy_data_address: description.clients['priced-transfer']!.policyData[0]!.address,
      chain_id: description.chain.chainId,
    })
    expect(simulated.result).toMatchObject({
      success: false,
      error: expect.stringContaining(`the content ${wasmCid} is unavailable`),
    })
  })
})
