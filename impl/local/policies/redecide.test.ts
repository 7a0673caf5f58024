import { Hono } from 'hono'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { ClientDetail, PolicyDetail } from 'polgate-protocol/control/policies.ts'
import type { RedecideAnswer, RedecideBody } from 'polgate-protocol/control/redecide.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { privateUses } from 'polgate-rego/privateUses.ts'
import { encodeEvaluationResult } from 'polgate-service/operators/evaluationResult.ts'
import type { Operator, SignAnswer, SignRequest } from 'polgate-service/operators/operator.ts'
import { createParamsCheck } from 'polgate-service/operators/paramsSchema.ts'
import type { PolicyEvaluator } from 'polgate-service/operators/policyEvaluator.ts'
import { createPolicyRunner } from 'polgate-service/operators/policyRunner.ts'
import type { DecidedTask } from 'polgate-service/store/tasks.ts'
import { expect, test } from 'vitest'
import { createTaskRecords } from '../taskRecords.ts'
import { createRedecider, type RedeciderParts } from './redecide.ts'
import { addRedecideRoutes } from './redecideRoutes.ts'

const source = `package limit

default allow := false

allow if count(deny) == 0

deny contains "over the price" if input.value > data.params.most * data.wasm.price
deny contains "no price" if not data.wasm.price
`
const address = '0x00000000000000000000000000000000000000c1'
const idOf = (at: number): Bytes32 => `0x${at.toString(16).padStart(64, '0')}`
const client = {
  address,
  params: '{"most": 10}',
  problem: null,
  policy: {
    entrypoint: 'limit.allow',
    source: { cid: 'a', text: source, problem: null },
    paramsSchema: {
      cid: 'b',
      text: '{"properties": {"most": {"type": "number"}}, "required": ["most"]}',
      problem: null,
    },
  },
} as unknown as ClientDetail

/** Allows everything, and has no schema. */
const otherPolicy = {
  ...{ address: '0x00000000000000000000000000000000000000aa', entrypoint: 'free.allow' },
  ...{ source: { cid: 'c', text: 'package free\n\nallow := true\n', problem: null } },
  paramsSchema: null,
} as unknown as PolicyDetail

/** The engine of an operator, in this thread. */
function evaluator(): PolicyEvaluator {
  const runner = createPolicyRunner({ namespace: defaultBrand.regoNamespace, workMs: 2_000 })
  const check = createParamsCheck()
  return {
    async evaluate(evaluation) {
      check(evaluation.params, evaluation.paramsSchema)
      return runner.run(evaluation)
    },
    privateUses: async ({ source }) => privateUses(source, defaultBrand.regoNamespace),
    close: async () => {},
  }
}

/** What a task was decided with, and how; without data they are not recorded. */
type Past = {
  readonly value: number
  readonly data?: string
  readonly result?: string
  readonly reasons?: readonly string[]
  readonly error?: string
}

async function app(past: readonly Past[], own: Partial<RedeciderParts> = {}) {
  const records = createTaskRecords()
  for (const [at, { value, data, result, reasons }] of past.entries()) {
    if (data === undefined) continue
    const evaluation = {
      ...{ policy: { cid: 'a' }, entrypoint: 'limit.allow', params: '{}', paramsSchemaCid: '' },
      ...{ intentSignature: null, intentDigest: null, data: [data], now: 1 },
      intent: {
        ...{ from: address, to: address, value: `0x${value.toString(16)}` },
        ...{ data: '0x', chain_id: '0x1', function_signature: '0x' },
      },
    }
    const operator = records.around({
      address,
      sign: async () => {
        if (result === undefined) throw new Error('Rego evaluation failed')
        return { evaluationResult: encodeEvaluationResult(result), reasons } as SignAnswer
      },
    } as unknown as Operator)
    const draft = { taskId: idOf(at), policyClient: address, policyTaskData: { policyData: [] } }
    const request = { draft, evaluation, referenceBlock: 1, nonce: 0 } as unknown as SignRequest
    await operator.sign(request, new AbortController().signal).catch(() => {})
  }
  const stored = past.map(
    ({ result, error }, at): DecidedTask => ({
      ...{ id: idOf(at), createdAt: new Date(0), error: error ?? null },
      status: error === undefined ? 'success' : 'failed',
      result: result === undefined ? null : encodeEvaluationResult(result),
    }),
  )
  const redecider = createRedecider({
    ...{ brand: defaultBrand, records, evaluator, ...own },
    tasks: { latestOfClient: async () => stored },
  })
  const hono = new Hono()
  addRedecideRoutes(hono, {
    ...{ redecider, records },
    views: {
      client: async (asked) => (asked === address ? client : undefined),
      async policy(asked) {
        if (asked === otherPolicy.address) return otherPolicy
        throw new ChainReadError('no-contract', `no policy at ${asked}`, { hint: 'Another.' })
      },
    },
    content: { get: async () => new TextEncoder().encode(source) },
  })
  return async (path: string, body?: unknown): Promise<[number, never]> => {
    const answer = await hono.request(
      path,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    )
    return [answer.status, (await answer.json()) as never]
  }
}

async function redecided(
  past: readonly Past[],
  body: RedecideBody,
  own: Partial<RedeciderParts> = {},
) {
  const [status, answer] = await (await app(past, own))(`/clients/${address}/redecide`, body)
  expect(status).toBe(200)
  return answer as RedecideAnswer
}

const price = (value: number) => `{"price": ${value}}`
const allowed: Past = { value: 10, data: price(1), result: 'true', reasons: [] }
const denied: Past = { value: 30, data: price(2), result: 'false', reasons: ['over the price'] }

test('with what the client has, nothing changes; with other params, what they decide does', async () => {
  const past = [allowed, denied]
  expect((await redecided(past, {})).counts).toEqual({
    ...{ tasks: 2, changed: 0, newlyAllowed: 0, newlyDenied: 0, errors: 0, unknown: 0 },
  })
  const { tasks, counts } = await redecided(past, { params: '{"most": 15}' })
  expect(counts).toMatchObject({ changed: 1, newlyAllowed: 1, newlyDenied: 0 })
  expect(tasks[1]).toEqual({
    ...{ taskId: idOf(1), createdAt: '1970-01-01T00:00:00.000Z', unknown: null, changed: true },
    before: { outcome: 'deny', reasons: ['over the price'], error: null },
    after: { outcome: 'allow', reasons: [], error: null },
  })
  expect((await redecided(past, { params: '{"most": 1}' })).counts).toMatchObject({
    newlyDenied: 1,
  })
})

test('with another deployed policy, its source, entrypoint and schema decide', async () => {
  const policyAddress = otherPolicy.address.toUpperCase().replace('0X', '0x') as `0x${string}`
  const { counts, paramsProblem } = await redecided([allowed, denied], {
    ...{ policyAddress, params: '{"unknown": 1}' },
  })
  expect([counts.newlyAllowed, counts.errors, paramsProblem]).toEqual([1, 0, null])
  const ask = await app([])
  const unknown = { policyAddress: address }
  expect(await ask(`/clients/${address}/redecide`, unknown)).toEqual([
    404,
    expect.objectContaining({ error: `Contract read failed: no policy at ${address}` }),
  ])
})

test('each task is decided over its own data', async () => {
  const dearer = { ...denied, data: price(3), result: 'true', reasons: [] }
  expect((await redecided([denied, dearer], {})).counts).toMatchObject({ changed: 0 })
})

const failing: readonly (readonly [string, RedecideBody])[] = [
  ['params that do not fit the schema', { params: '{"most": "10"}' }],
  ['a policy that does not compile', { policySource: 'package limit\n\nallow if {' }],
  [
    'a policy whose rules conflict',
    { policySource: 'package limit\n\nallow := true\nallow := false if true' },
  ],
  ['a policy without the entrypoint', { policySource: 'package other\n\nallow := true' }],
  ['an entrypoint that is undefined', { policySource: 'package limit\n\nallow := true if false' }],
]
test.each(failing)('%s is an error of every task, never an allow', async (_, body) => {
  const { tasks, counts, paramsProblem } = await redecided([allowed, denied], body)
  expect(counts).toMatchObject({ errors: 2, newlyAllowed: 0 })
  expect(paramsProblem).toBe(
    body.params === undefined
      ? null
      : 'policy params do not match their schema: most must be number',
  )
  for (const { after } of tasks) {
    expect(after).toMatchObject({ outcome: 'error', reasons: [] })
    expect(after!.error).not.toBe('')
  }
})

test.each([
  ['"true"', 'allow'],
  ['true', 'allow'],
  ['false', 'deny'],
  ['1', 'deny'],
  ['"CAP"', 'deny'],
  ['{"allow": true}', 'deny'],
])('the value %s is %s', async (value, outcome) => {
  const policySource = `package limit\n\nallow := ${value}`
  const { tasks } = await redecided([denied], { policySource })
  expect(tasks[0]!.after!.outcome).toBe(outcome)
})

test('a task whose data are not known is not decided, nor one after the time limit', async () => {
  const { tasks, counts } = await redecided([{ value: 1, result: 'true' }, allowed], {})
  expect(tasks[0]).toMatchObject({
    ...{ after: null, changed: false, unknown: 'its settled data are no longer known' },
    before: { outcome: 'allow' },
  })
  expect(counts).toMatchObject({ tasks: 2, unknown: 1, changed: 0 })
  const late = await redecided(
    [allowed, denied, allowed],
    {},
    {
      limitMs: 20,
      evaluator: () => ({
        evaluate: (_, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        privateUses: async ({ source }) => privateUses(source, defaultBrand.regoNamespace),
        close: async () => {},
      }),
    },
  )
  const unknown = 'the time limit of 0.02 s was reached'
  expect(late.tasks).toMatchObject(late.tasks.map(() => ({ after: null, changed: false, unknown })))
})

test('a task that failed before can be decided now', async () => {
  const failed = { value: 5, data: price(1), error: 'Rego evaluation failed: x' }
  const { tasks } = await redecided([failed], {})
  expect(tasks[0]).toMatchObject({
    before: { outcome: 'error', error: 'Rego evaluation failed: x' },
    ...{ after: { outcome: 'allow' }, changed: true },
  })
})

test('bad requests are refused', async () => {
  const ask = await app([])
  const path = `/clients/${address}/redecide`
  for (const body of [{ params: '[]' }, { params: '{' }, { params: {} }, { source: '' }, 1])
    expect((await ask(path, body))[0]).toBe(422)
  expect((await ask('/clients/0x12/redecide', {}))[0]).toBe(404)
  expect((await ask(`/clients/${address.replace('c1', 'c2')}/redecide`, {}))[0]).toBe(404)
})

test('returns everything that a task was decided with', async () => {
  const ask = await app([allowed])
  const [status, found] = await ask(`/tasks/${idOf(0)}/evaluation`)
  expect([status, found]).toMatchObject([
    200,
    {
      ...{ policyClient: address, source, params: '{}', data: [price(1)], now: 1 },
      paramsSchema: null,
    },
  ])
  expect(JSON.parse((found as { input: string }).input)).toMatchObject({ value: 10 })
  expect((await ask(`/tasks/${idOf(7)}/evaluation`))[0]).toBe(404)
})

test('a policy that reads private data cannot be decided again', async () => {
  const source = 'package limit\n\nallow if service.identity.check_approved()'
  const { tasks, counts } = await redecided([allowed, denied], { policySource: source })
  expect(counts).toMatchObject({ tasks: 2, unknown: 2, changed: 0 })
  const unknown = 'the policy reads private data, which is not kept'
  expect(tasks).toMatchObject([
    { after: null, unknown },
    { after: null, unknown },
  ])
})
