import { createChainClient } from 'polgate-chain/client.ts'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import {
  allow,
  data,
  deny,
  deviates,
  type Entry,
  equivocated,
  faults,
  graceMs,
  keys,
  late,
  price,
  refused,
  sign,
  signature,
  signatureOver,
} from 'polgate-local/testing/operatorLies.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifySignature } from '../attestation/bls.ts'
import type { Evidence } from './signatureFaults.ts'
import { faultyOperators, never, type OperatorFault } from './testing/faultyOperators.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
const { injectedFaults, operator } = faultyOperators()
const logged: Record<string, unknown>[] = []
let pauses = 0

beforeAll(async () => {
  stack = await startTestStack({
    config: (config) => ({ ...config, operatorGraceMs: graceMs }),
    parts: {
      // Long pauses between tests, so that no operator still counts as slow.
      clock: () => Date.now() + pauses * 60_000,
      operator,
      taskDeps: (deps) => ({
        ...deps,
        log: { ...deps.log, warn: (fields) => logged.push(fields) },
      }),
    },
  })
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  pauses += 1
  injectedFaults.clear()
  logged.length = 0
  for (const each of stack.service.operators) each.start()
})
afterAll(() => stack.close())

let value = 0
async function create(more: Record<string, unknown> = {}) {
  value += 1
  const { result } = await client.call('createTask', {
    policy_client: description.clients['priced-transfer']!.policyClient,
    intent: plainIntent(description, value),
    wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
    include_validate_calldata: true,
    ...more,
  })
  return result!
}
type Result = Awaited<ReturnType<typeof create>>

/**
 * A result whose operators answered in time. On a busy machine one can miss the short grace period,
 * which is an error of its own: then the task is sent again.
 */
async function createInTime(more: Record<string, unknown> = {}) {
  for (let tries = 1; ; tries += 1) {
    const result = await create(more)
    const errors = result.operator_errors as readonly { message: string }[] | undefined
    if (tries === 5 || !errors?.some(({ message }) => message === late.message)) return result
    pauses += 1
    logged.length = 0
  }
}

/** The result is the one of honest operators, and the contract accepts it. */
async function expectHonest(result: Result): Promise<void> {
  expect(result).toMatchObject({ status: 'success', error: null })
  expect(toHex(Uint8Array.from(result.task_response!.evaluation_result))).toBe(allow)
  const { data } = result.task_response!.policy_task_data.policyData[0]!
  expect(JSON.parse(Buffer.from(data.slice(2), 'hex').toString())).toMatchObject({
    price_feed: { price: 2000 },
  })
  const { rpcUrl, taskManager } = description.chain
  const answer = await createChainClient({ rpcUrl }).call({
    account: result.task!.policyClient,
    to: taskManager,
    data: result.validate_calldata!,
  })
  expect(answer.data).toBe(allow)
}

const entryOf = (at: number, { code, retryable, message }: Entry) => ({
  operator_address: description.operators[at]!.address,
  operator_id: description.operators[at]!.id,
  error_code: code,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  retryable,
})

describe('an operator that returns', () => {
  it.each(faults)('%s is detected, reported and changes no result', async (_, twist, entry) => {
    injectedFaults.set(3, twist)
    const result = await (entry === late ? create() : createInTime())
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(3, entry)])
  })

  it.each<[string, OperatorFault]>([
    [
      'invented timings',
      data((honest) => ({
        ...honest,
        timings: { oracle: -1, x: 'y', ['z'.repeat(1_000)]: 1e308 },
      })),
    ],
    ['no timings', sign(({ timings: _, ...honest }) => honest)],
    [
      'unknown members',
      sign((honest) => ({ ...honest, admin: true, __proto__: { reached: true } })),
    ],
    [
      'an upper-case result',
      sign((honest) => ({
        ...honest,
        evaluationResult: honest.evaluationResult.toUpperCase().replace('0X', '0x'),
      })),
    ],
    ['reasons that are not strings', sign((honest) => ({ ...honest, reasons: [{}, null] }))],
    ['a number in another notation', price('2e3')],
    [
      'duplicate keys',
      data((honest) => ({
        ...honest,
        outputs: honest.outputs.map((text) =>
          text.replace('"price":2000', '"price":1,"price":2000'),
        ),
      })),
    ],
  ])('%s counts like the others', async (_, twist) => {
    injectedFaults.set(3, twist)
    const result = await createInTime()
    await expectHonest(result)
    expect(result.operator_errors).toBeUndefined()
  })
})

describe('several faulty operators', () => {
  it('are each detected', async () => {
    injectedFaults.set(2, price('4000')).set(
      3,
      signature((request) => signatureOver(request, deny)),
    )
    const result = await createInTime()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(2, deviates), entryOf(3, equivocated)])
  })

  it('are distinguished if one signs with the key of a silent one', async () => {
    injectedFaults.set(2, { sign: (_, __, signal) => never(signal) })
    injectedFaults.set(
      3,
      signature((request) => signatureOver(request, allow, { by: 2 })),
    )
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([
      entryOf(2, late),
      entryOf(3, refused(`signed with the key of another operator, ${keys[2]!.operatorId}`)),
    ])
  })

  it('are detected if one signs its own data instead of the settled data', async () => {
    const own = (text: string) => text.replace('"price":2000', '"price":2001')
    let seen = ''
    injectedFaults.set(3, {
      data: async (honest) => {
        const answer = await honest()
        seen = own(answer.outputs[0]!)
        return { ...answer, outputs: [seen] }
      },
      sign: async (honest, request) => ({
        ...(await honest()),
        signature: signatureOver(request, allow, { data: seen }),
      }),
    })
    const result = await createInTime()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(3, equivocated)])
  })

  it('cannot get a result without a quorum', async () => {
    // 70 of 100 sign a denial; 30 are honest. The quorum is 71.
    const denying = sign((honest, request) => ({
      ...honest,
      evaluationResult: deny,
      signature: signatureOver(request, deny, { by: 0 }),
    }))
    injectedFaults.set(0, denying)
    const result = await createInTime({ quorum_threshold_percentage: 71 })
    expect(result).toMatchObject({ status: 'failed', aggregation_response: null })
    expect(result.error).toBe('Quorum not reached: stake 60 of the required 71 signed')
    expect(result.operator_errors).toEqual([entryOf(0, refused('signs another result'))])
  })
})

describe('the signature of an equivocating operator', () => {
  it('is logged as evidence', async () => {
    injectedFaults.set(
      3,
      signature((request) => signatureOver(request, deny)),
    )
    const result = await createInTime()
    await expectHonest(result)
    const fields = logged.find(({ evidence }) => evidence !== undefined)!
    expect(fields).toMatchObject({ task: result.task_id, operator: description.operators[3]!.id })
    const { told, signed, signature: kept } = fields.evidence as Evidence
    expect(told).toEqual({
      digest: result.aggregation_response!.task_response_digest,
      result: allow,
    })
    expect(signed.result).toBe(deny)
    const over = { X: BigInt(kept.X), Y: BigInt(kept.Y) }
    expect(verifySignature(signed.digest, over, keys[3]!.pubkeyG2)).toBe(true)
  })
})

describe('an answer that disagrees, in time', () => {
  // The operators 0, 2 and 3 hold 70 of the required 67; without 3 they need the slow operator 1.
  const slow = async <Answer>(answer: Promise<Answer>) => {
    const honest = await answer
    await new Promise((resolve) => setTimeout(resolve, 3 * graceMs))
    return honest
  }
  it.each([
    ['data', price('4000'), { data: (honest) => slow(honest()) }, deviates],
    [
      'signature',
      sign((honest, request) => ({
        ...honest,
        evaluationResult: deny,
        signature: signatureOver(request, deny, { by: 3 }),
      })),
      { sign: (honest) => slow(honest()) },
      refused('signs another result'),
    ],
  ] as const satisfies readonly (readonly [string, OperatorFault, OperatorFault, Entry])[])(
    'does not exclude a slower operator that the quorum needs: %s',
    async (_, disagreeing, slower, entry) => {
      injectedFaults.set(3, disagreeing).set(1, slower)
      const result = await create()
      await expectHonest(result)
      expect(result.operator_errors).toEqual([entryOf(3, entry)])
    },
  )
})

describe('a task that times out', () => {
  it.each(['data', 'sign'] as const)(
    'names the operators that were silent in the phase %s',
    async (phase) => {
      const silent: OperatorFault =
        phase === 'data'
          ? { data: (_, signal) => never(signal) }
          : { sign: (_, __, signal) => never(signal) }
      injectedFaults.set(0, silent).set(3, price('4000'))
      const result = await create({ timeout: 2 })
      expect(result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
      const entry = {
        code: -32603,
        retryable: true,
        message: 'operator unreachable: no answer until the task timed out',
      }
      expect(result.operator_errors).toEqual(
        phase === 'data' ? [entryOf(0, entry)] : [entryOf(3, deviates), entryOf(0, entry)],
      )
    },
  )
})
