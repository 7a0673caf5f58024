import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DataAnswer, Operator, SignAnswer } from '../operators/operator.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

/** What the operators of this test do to their answers, by their place. */
type Twist = {
  readonly data?: (answer: DataAnswer) => DataAnswer
  readonly sign?: (answer: SignAnswer) => SignAnswer
}
const twists = new Map<number, Twist>()
let made = 0
const twisted = (operator: Operator): Operator => {
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
  stack = await startLocalStack({ parts: { operator: twisted } })
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  twists.clear()
  stack.fixtureHost.reset()
})
afterAll(() => stack.close())

let value = 0
const task = (fixture = 'allow-list', more: Record<string, unknown> = {}) => {
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

describe('data of operators that differ (decision T8)', () => {
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

  it('becomes the median by stake within a tenth', async () => {
    twists.set(0, price(1.02)).set(1, price(1.04)).set(2, price(0.98))
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result).toMatchObject({ status: 'success' })
    expect(result.operator_errors).toBeUndefined()
    expect(settled(result)).toBe(2040)
  })

  it('leaves out and lists an operator further off, when the others hold the quorum', async () => {
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

  it('fails when those who agree are too few', async () => {
    twists.set(0, price(2))
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result).toMatchObject({
      status: 'failed',
      error: 'Quorum not reached: stake 60 of the required 67 signed',
    })
  })

  it('fails closed when the outside world is out of order', async () => {
    stack.fixtureHost.setMode('error')
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result.status).toBe('success')
    expect(BigInt(toHex(Uint8Array.from(result.task_response!.evaluation_result)))).toBe(0n)
  })
})

describe('operators that are not honest', () => {
  const forged: Twist = {
    sign: (answer) => ({ ...answer, signature: { X: '0x01', Y: '0x02' } }),
  }
  const allowing: Twist = {
    sign: (answer) => ({ ...answer, evaluationResult: `0x${'0'.repeat(63)}2` }),
  }

  it('are found out and left out when their signature is wrong', async () => {
    twists.set(3, forged)
    const result = await create()
    expect(result.status).toBe('success')
    expect(messages(result)).toEqual([
      "operator signature refused: it is none of the operator's key over the response",
    ])
    expect(result.operator_errors![0]).toMatchObject({ retryable: false })
  })

  it('cannot carry a result of their own', async () => {
    twists.set(2, allowing)
    const result = await create()
    expect(result.status).toBe('success')
    // Its signature is over the result of the others: it told one thing and signed another.
    expect(messages(result)).toEqual([
      expect.stringMatching(/^operator signature refused: operator equivocated: told 0x/),
    ])
    expect(result.task_response!.evaluation_result.at(-1)).toBe(1)
  })

  it.each<[string, Twist, string]>([
    [
      'data that is no JSON',
      { data: (a) => ({ ...a, outputs: ['{'] }) },
      'data that is no JSON object',
    ],
    [
      'data that is no object',
      { data: (a) => ({ ...a, outputs: ['[]'] }) },
      'data that is no JSON object',
    ],
    ['no data', { data: (a) => ({ ...a, outputs: [] }) }, 'another number of outputs than sources'],
    [
      'nothing',
      { data: () => ({}) as unknown as DataAnswer },
      'another number of outputs than sources',
    ],
    [
      'a result of letters',
      { sign: (a) => ({ ...a, evaluationResult: '0xzz' }) },
      'a result that is no bytes',
    ],
    [
      'no point',
      { sign: (a) => ({ ...a, signature: { X: '0x', Y: '0x1' } }) },
      'a signature that is no point',
    ],
    [
      'no signature',
      { sign: () => ({ evaluationResult: '0x' }) as unknown as SignAnswer },
      'a signature that is no point',
    ],
  ])('harm nobody else by answering %s', async (_, twist, message) => {
    twists.set(3, twist)
    const result = await create('priced-transfer', { wasm_args: eth })
    expect(result.status).toBe('success')
    expect(messages(result)).toEqual([`operator answered ${message}`])
  })

  it('make the task fail when the others are too few', async () => {
    twists.set(0, forged)
    const result = await create()
    expect(result).toMatchObject({ status: 'failed' })
    const [notification] = await stack.service.store.notifications.forTask(result.task_id!)
    expect(notification!.payload.failure_type).toBe('signature_verification_failed')
  })
})
