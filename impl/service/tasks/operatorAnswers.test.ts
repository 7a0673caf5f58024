import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DataAnswer, Operator, SignAnswer } from '../operators/operator.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

/** Changes to the answers of operators, by operator index. */
type Twist = {
  readonly data?: (answer: DataAnswer) => DataAnswer
  readonly sign?: (answer: SignAnswer) => SignAnswer
}
const twists = new Map<number, Twist>()
let made = 0
function twisted(operator: Operator): Operator {
  const place = made++
  return {
    ...operator,
    async collectData(request, signal) {
      const answer = await operator.collectData(request, signal)
      return twists.get(place)?.data?.(answer) ?? answer
    },
    async sign(request, signal) {
      const answer = await operator.sign(request, signal)
      return twists.get(place)?.sign?.(answer) ?? answer
    },
  }
}

beforeAll(async () => {
  stack = await startTestStack({ parts: { operator: twisted } })
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  twists.clear()
  stack.fixtureHost.reset()
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
const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
const messages = (result: Awaited<ReturnType<typeof create>>) =>
  (result.operator_errors ?? []).map(({ message }) => message)

describe('differing data of operators (decision T8)', () => {
  const price = (by: number): Twist => ({
    data: ({ outputs, timings }) => ({
      timings,
      outputs: outputs.map((text) => text.replace('"price":2000', `"price":${2000 * by}`)),
    }),
  })
  const settled = (result: Awaited<ReturnType<typeof create>>) => {
    const data = result.task_response!.policy_task_data.policyData[0]!.data
    return JSON.parse(Buffer.from(data.slice(2), 'hex').toString()).price_feed.price
  }

  it('settles to the median by stake within a tenth', async () => {
    twists.set(0, price(1.02)).set(1, price(1.04)).set(2, price(0.98))
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result).toMatchObject({ status: 'success' })
    expect(result.operator_errors).toBeUndefined()
    expect(settled(result)).toBe(2040)
  })

  it('excludes and lists an operator further off if the others hold the quorum', async () => {
    twists.set(3, price(2))
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result).toMatchObject({ status: 'success' })
    expect(result.operator_errors).toEqual([
      {
        operator_address: description.operators[3]!.address,
        operator_id: description.operators[3]!.id,
        error_code: -32620,
        message: 'policy data deviates from the median by more than 10 %',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        retryable: true,
      },
    ])
    expect(settled(result)).toBe(2000)
  })

  it('fails if too few operators agree', async () => {
    twists.set(0, price(2))
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result).toMatchObject({
      status: 'failed',
      error: 'Quorum not reached: stake 60 of the required 67 signed',
    })
  })

  it('fails closed when the data source fails', async () => {
    stack.fixtureHost.setMode('error')
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result.status).toBe('success')
    expect(BigInt(toHex(Uint8Array.from(result.task_response!.evaluation_result)))).toBe(0n)
  })
})

describe('dishonest operators', () => {
  const forged: Twist = {
    sign: (answer) => ({ ...answer, signature: { X: '0x01', Y: '0x02' } }),
  }
  const allowing: Twist = {
    sign: (answer) => ({ ...answer, evaluationResult: `0x${'0'.repeat(63)}2` }),
  }

  it('are detected and excluded if their signature is wrong', async () => {
    twists.set(3, forged)
    const result = await create()
    expect(result.status).toBe('success')
    expect(messages(result)).toEqual([
      "invalid operator signature: does not verify against the operator's key",
    ])
    expect(result.operator_errors![0]).toMatchObject({ retryable: false })
  })

  it('cannot impose a result', async () => {
    twists.set(2, allowing)
    const result = await create()
    expect(result.status).toBe('success')
    // Its signature is over the result of the others: it returned one result and signed another.
    expect(messages(result)).toEqual([
      expect.stringMatching(/^invalid operator signature: operator equivocated: returned 0x/),
    ])
    expect(result.task_response!.evaluation_result.at(-1)).toBe(1)
  })

  it.each<[string, Twist, string]>([
    [
      'data that is not JSON',
      { data: (a) => ({ ...a, outputs: ['{'] }) },
      'data is not a JSON object',
    ],
    [
      'data that is not an object',
      { data: (a) => ({ ...a, outputs: ['[]'] }) },
      'data is not a JSON object',
    ],
    ['no data', { data: (a) => ({ ...a, outputs: [] }) }, 'wrong number of outputs'],
    ['nothing', { data: () => ({}) as unknown as DataAnswer }, 'wrong number of outputs'],
    [
      'a result of letters',
      { sign: (a) => ({ ...a, evaluationResult: '0xzz' }) },
      'result is not hex bytes',
    ],
    [
      'no point',
      { sign: (a) => ({ ...a, signature: { X: '0x', Y: '0x1' } }) },
      'signature has no valid coordinates',
    ],
    [
      'no signature',
      { sign: () => ({ evaluationResult: '0x' }) as unknown as SignAnswer },
      'signature has no valid coordinates',
    ],
  ])('affect no other operator by answering %s', async (_, twist, message) => {
    twists.set(3, twist)
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result.status).toBe('success')
    expect(messages(result)).toEqual([`invalid operator answer: ${message}`])
  })

  it('make the task fail if the others are too few', async () => {
    twists.set(0, forged)
    const result = await create()
    expect(result).toMatchObject({ status: 'failed' })
    const [notification] = await stack.service.store.notifications.forTask(result.task_id!)
    expect(notification!.payload.failure_type).toBe('signature_verification_failed')
  })
})
