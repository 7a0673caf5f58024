import { encodeAbiParameters, keccak256, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChainClient } from '../../chain/client.ts'
import { encodeWasmArgs } from '../../fixtures/caseIntent.ts'
import { type BlsKey, blsKey, verifySignature } from '../attestation/bls.ts'
import { responseDigest } from '../attestation/digest.ts'
import { hashToCurve } from '../attestation/hashToCurve.ts'
import type { G1Point } from '../attestation/types.ts'
import { devOperators } from '../local/devKeys.ts'
import { type LocalStack, startLocalStack } from '../local/localStack.ts'
import { plainIntent, stackClient } from '../local/testing/stackClient.ts'
import type { DataAnswer, SignAnswer, SignRequest } from '../operators/operator.ts'
import { regoFailed } from '../operators/operatorErrors.ts'
import { taskResponseOf } from '../operators/taskResponse.ts'
import type { Data } from '../protocol/scalars.ts'
import type { StackDescription } from '../protocol/stackDescription.ts'
import type { Evidence } from './signatureFaults.ts'
import { after, deaf, never, type Twist, twistedOperators } from './testing/twistedOperators.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
const { twists, operator } = twistedOperators()
const logged: Record<string, unknown>[] = []
const graceMs = 400
let tests = 0

beforeAll(async () => {
  stack = await startLocalStack({
    config: (config) => ({ ...config, operatorGraceMs: graceMs }),
    parts: {
      // Between two tests is so long that nobody counts as tardy any more.
      clock: () => Date.now() + tests * 60_000,
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
  tests += 1
  twists.clear()
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

const keys: readonly BlsKey[] = devOperators.map(({ blsKey: secret }) =>
  blsKey(Buffer.from(secret.slice(2), 'hex')),
)
/** Signs with the key of an operator the response that a request asks for, with another result. */
function signatureOver(
  request: SignRequest,
  result: Data,
  { by = 3, data }: { readonly by?: number; readonly data?: string } = {},
): SignAnswer['signature'] {
  const response = taskResponseOf(request.draft, request.evaluation.intent, result)
  const policyData = response.policyTaskData.policyData.map((entry) =>
    data === undefined ? entry : { ...entry, data: toHex(data) },
  )
  const signed = { ...response, policyTaskData: { ...response.policyTaskData, policyData } }
  return point(keys[by]!.sign(responseDigest(signed)))
}
const point = ({ X, Y }: G1Point) => ({ X: toHex(X), Y: toHex(Y) })
const decision = (allow: boolean) => encodeAbiParameters([{ type: 'bool' }], [allow])
const [allow, deny] = [decision(true), decision(false)]
const order = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

/** That the result is the one that honest operators give, and that the contract takes it. */
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

type Entry = {
  readonly code: number
  readonly retryable: boolean
  readonly message: string | RegExp
}
const entryOf = (at: number, { code, retryable, message }: Entry) => ({
  operator_address: description.operators[at]!.address,
  operator_id: description.operators[at]!.id,
  error_code: code,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  retryable,
})

const data = (make: (honest: DataAnswer) => unknown): Twist => ({
  data: async (honest) => make(await honest()),
})
const outputs = (...texts: unknown[]): Twist => data((honest) => ({ ...honest, outputs: texts }))
const price = (by: string): Twist =>
  data((honest) => ({
    ...honest,
    outputs: honest.outputs.map((text) => text.replace('"price":2000', `"price":${by}`)),
  }))
const sign = (make: (honest: SignAnswer, request: SignRequest) => unknown): Twist => ({
  sign: async (honest, request) => make(await honest(), request),
})
const signature = (make: (request: SignRequest) => SignAnswer['signature']): Twist =>
  sign((honest, request) => ({ ...honest, signature: make(request) }))

const late = { code: -32603, retryable: true, message: 'operator unreachable: no answer in time' }
const malformed = (what: string) => ({
  code: -32603,
  retryable: false,
  message: `operator answered ${what}`,
})
const deviates = {
  code: -32620,
  retryable: true,
  message: 'policy data deviates from the median by more than 10 %',
}
const differs = {
  code: -32620,
  retryable: true,
  message: 'policy data differs from what the quorum saw',
}
const refused = (message: string | RegExp) => ({
  code: -32603,
  retryable: false,
  message:
    typeof message === 'string'
      ? `operator signature refused: ${message}`
      : new RegExp(`^operator signature refused: ${message.source}$`),
})
const wrong = refused("it is none of the operator's key over the response")
const equivocated = refused(/operator equivocated: told 0x[0-9a-f]{64}, signed 0x[0-9a-f]{64}/)
const noObject = malformed('data that is no JSON object')

const faults: readonly (readonly [string, Twist, Entry])[] = [
  ['data too late', { data: (honest) => after(3 * graceMs, honest) }, late],
  ['no data', { data: (_, signal) => never(signal) }, late],
  ['no data, deaf to its signal', { data: deaf }, late],
  ['a number far off', price('4000'), deviates],
  ['a number beyond a double', price('1e999'), deviates],
  ['a number next to nothing', price('1e-400'), deviates],
  ['zero below zero', price('-0'), deviates],
  ['a number with an exponent of ten digits', price('2e9999999999'), deviates],
  ['another type', price('"2000"'), differs],
  ['an array for a number', price('[2000]'), differs],
  ['an empty object', outputs('{}'), differs],
  ['another key', outputs('{"price_feed":{"prix":2000}}'), differs],
  ['a key in another form of Unicode', outputs('{"e\u0301":1}'), differs],
  ['a key that is a prototype', outputs('{"__proto__":{"price_feed":{"price":2000}}}'), differs],
  ['no JSON', outputs('{'), noObject],
  ['an array', outputs('[]'), noObject],
  ['a deep object', outputs(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`), noObject],
  ['two megabytes', outputs(JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) })), noObject],
  ['an object that is no text', outputs({ price_feed: { price: 2000 } }), noObject],
  [
    'many values',
    outputs(`{"a":[${'1,'.repeat(30_000)}1]}`),
    malformed('data of more than 20000 values'),
  ],
  [
    'a number of many digits',
    price(`2000.${'0'.repeat(5_000)}`),
    malformed('a number of more than 1024 characters'),
  ],
  ['one output too few', outputs(), malformed('another number of outputs than sources')],
  ['one output too many', outputs('{}', '{}'), malformed('another number of outputs than sources')],
  ['null', data(() => null), malformed('another number of outputs than sources')],
  ['a text', data(() => 'data'), malformed('another number of outputs than sources')],
  [
    'an error with a NUL, half a character and two megabytes',
    { data: () => Promise.reject(regoFailed(`\0\ud800${'x'.repeat(2 * 1024 * 1024)}`)) },
    { code: -32615, retryable: false, message: /^Rego evaluation failed: \ufffd\ufffdx{1900}/ },
  ],
  [
    'an error that nobody foresaw',
    { data: () => Promise.reject(new TypeError('secret')) },
    { code: -32603, retryable: true, message: 'operator failed' },
  ],
  ['its signature too late', { sign: (honest) => after(3 * graceMs, honest) }, late],
  ['no signature', { sign: (_, __, signal) => never(signal) }, late],
  [
    'a point off the curve',
    signature(() => ({ X: '0x01', Y: '0x03' })),
    refused('it is no point of the curve'),
  ],
  [
    'coordinates above the modulus',
    sign(({ signature: { X, Y }, ...rest }) => ({
      ...rest,
      signature: { X: toHex(BigInt(X) + order, { size: 32 }), Y },
    })),
    refused('it is no point of the curve'),
  ],
  [
    'the point at infinity',
    signature(() => ({ X: '0x0', Y: '0x0' })),
    refused('it is the point at infinity'),
  ],
  ['a random point', signature(() => point(hashToCurve(keccak256('0x1234')))), wrong],
  [
    'a signature over another digest',
    signature(() => point(keys[3]!.sign(keccak256('0x00')))),
    wrong,
  ],
  [
    'a copy of the signature of a neighbour',
    signature((request) => signatureOver(request, allow, { by: 1 })),
    refused(`it is by the key of another operator, ${keys[1]!.operatorId}`),
  ],
  [
    'another result, well signed',
    sign((honest, request) => ({
      ...honest,
      evaluationResult: deny,
      signature: signatureOver(request, deny),
    })),
    refused('it is over another result'),
  ],
  [
    'one result told and another signed',
    signature((request) => signatureOver(request, deny)),
    equivocated,
  ],
  [
    'another result told than it signed',
    sign((honest) => ({ ...honest, evaluationResult: '0x02' })),
    equivocated,
  ],
  [
    'a result of letters',
    sign((honest) => ({ ...honest, evaluationResult: '0xzz' })),
    malformed('a result that is no bytes'),
  ],
  [
    'a signature of text',
    sign((honest) => ({ ...honest, signature: '0x' })),
    malformed('a signature that is no point'),
  ],
  ['nothing', sign(() => undefined), malformed('a result that is no bytes')],
]

describe('an operator that gives', () => {
  it.each(faults)('%s is found, named, and moves nothing', async (_, twist, entry) => {
    twists.set(3, twist)
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(3, entry)])
  })

  it.each<[string, Twist]>([
    [
      'times of its own making',
      data((honest) => ({
        ...honest,
        timings: { oracle: -1, x: 'y', ['z'.repeat(1_000)]: 1e308 },
      })),
    ],
    ['no times', sign(({ timings: _, ...honest }) => honest)],
    [
      'members that nobody asked for',
      sign((honest) => ({ ...honest, admin: true, __proto__: { reached: true } })),
    ],
    [
      'a result in capitals',
      sign((honest) => ({
        ...honest,
        evaluationResult: honest.evaluationResult.toUpperCase().replace('0X', '0x'),
      })),
    ],
    ['reasons that are no texts', sign((honest) => ({ ...honest, reasons: [{}, null] }))],
    ['a number written otherwise', price('2e3')],
    [
      'keys twice',
      data((honest) => ({
        ...honest,
        outputs: honest.outputs.map((text) =>
          text.replace('"price":2000', '"price":1,"price":2000'),
        ),
      })),
    ],
  ])('%s is as good as the others', async (_, twist) => {
    twists.set(3, twist)
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toBeUndefined()
  })
})

describe('operators that fail together', () => {
  it('are each found where several do', async () => {
    twists.set(2, price('4000')).set(
      3,
      signature((request) => signatureOver(request, deny)),
    )
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(2, deviates), entryOf(3, equivocated)])
  })

  it('are told apart where one signs with the key of another who is silent', async () => {
    twists.set(2, { sign: (_, __, signal) => never(signal) })
    twists.set(
      3,
      signature((request) => signatureOver(request, allow, { by: 2 })),
    )
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([
      entryOf(2, late),
      entryOf(3, refused(`it is by the key of another operator, ${keys[2]!.operatorId}`)),
    ])
  })

  it('are found out where one signs the data that it saw instead of the settled', async () => {
    const own = (text: string) => text.replace('"price":2000', '"price":2001')
    let seen = ''
    twists.set(3, {
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
    const result = await create()
    await expectHonest(result)
    expect(result.operator_errors).toEqual([entryOf(3, equivocated)])
  })

  it('cannot get a result without a quorum', async () => {
    // 70 of 100 sign that it is denied; 30 are honest. What 70 sign, a quorum of 71 did not.
    const denying = sign((honest, request) => ({
      ...honest,
      evaluationResult: deny,
      signature: signatureOver(request, deny, { by: 0 }),
    }))
    twists.set(0, denying)
    const result = await create({ quorum_threshold_percentage: 71 })
    expect(result).toMatchObject({ status: 'failed', aggregation_response: null })
    expect(result.error).toBe('Quorum not reached: stake 60 of the required 71 signed')
    expect(result.operator_errors).toEqual([entryOf(0, refused('it is over another result'))])
  })
})

describe('what an equivocating operator has signed', () => {
  it('is kept as evidence that it cannot deny', async () => {
    twists.set(
      3,
      signature((request) => signatureOver(request, deny)),
    )
    const result = await create()
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

describe('a task that runs out of time', () => {
  it.each(['data', 'sign'] as const)(
    'names those who were silent in the phase %s',
    async (phase) => {
      const silent: Twist =
        phase === 'data'
          ? { data: (_, signal) => never(signal) }
          : { sign: (_, __, signal) => never(signal) }
      twists.set(0, silent).set(3, price('4000'))
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
