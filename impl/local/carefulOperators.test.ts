import { createChainClient } from 'polgate-chain/client.ts'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { createChainView } from 'polgate-service/operators/chainView.ts'
import type { DataRequest, Operator, SignRequest } from 'polgate-service/operators/operator.ts'
import { verifyingOperator } from 'polgate-service/operators/verifyingOperator.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

/** Operators that verify against the chain, and a gateway that sends them manipulated requests. */
let stack: LocalStack
let operators: Operator[]
const asked: { data?: DataRequest; sign?: SignRequest } = {}
const signal = new AbortController().signal
let skew = 0

function view(overrides: Partial<Parameters<typeof createChainView>[0]> = {}) {
  const { chain } = stack.config
  return createChainView({
    client: createChainClient({ rpcUrl: chain!.rpcUrl! }),
    chainId: chain!.chainId!,
    taskManager: chain!.taskManager as `0x${string}`,
    maxBlocksBehind: 300,
    lagMs: 300,
    ...overrides,
  })
}

beforeAll(async () => {
  const wrapped: Operator[] = []
  let chain: { rpcUrl?: string; chainId?: number; taskManager?: string } = {}
  stack = await startTestStack({
    config: (config) => {
      chain = config.chain as typeof chain
      return config
    },
    parts: {
      operator: (inner) => {
        const careful = verifyingOperator(inner, {
          clock: () => Date.now() + skew,
          chain: createChainView({
            client: createChainClient({ rpcUrl: chain.rpcUrl! }),
            chainId: chain.chainId!,
            taskManager: chain.taskManager as `0x${string}`,
            maxBlocksBehind: 300,
            lagMs: 300,
          }),
        })
        wrapped.push(careful)
        return {
          ...careful,
          collectData: (request, on) => {
            if (request.referenceBlock !== undefined) asked.data = request
            return careful.collectData(request, on)
          },
          sign: (request, on) => {
            asked.sign = request
            return careful.sign(request, on)
          },
        }
      },
    },
  })
  operators = wrapped
  const { result } = await stackClient(stack.description).call('createTask', {
    policy_client: stack.description.clients['priced-transfer']!.policyClient,
    intent: plainIntent(stack.description, 1),
    intent_signature: undefined,
    wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
  })
  expect(result).toMatchObject({ status: 'success' })
  expect(result!.operator_errors).toBeUndefined()
})
afterAll(() => stack.close())

/** For every leaf of a request, a copy of the request with that leaf changed. */
function changes<T>(request: T): [path: string, changed: T][] {
  const leaves: [string, T][] = []
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(item, [...path, name])
      return
    }
    const copy = structuredClone(request)
    let at = copy as Record<string, unknown>
    for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
    at[path.at(-1)!] = otherThan(value)
    leaves.push([path.join('.'), copy])
  }
  visit(request, [])
  return leaves
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (value === null) return `0x${'11'.repeat(65)}`
  const text = String(value)
  if (text === '0x') return '0x11'
  if (text === '') return 'x'
  return text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'signed',
    (error) => error as { message: string; code: number; retryable: boolean },
  )

describe('a request to sign', () => {
  it('is signed again unchanged, by every operator', async () => {
    for (const operator of operators) {
      const answer = await operator.sign(asked.sign!, signal)
      expect(answer.evaluationResult).toMatch(/^0x0*1$/)
    }
  })

  it('is refused if any member is changed', async () => {
    // Attestations are not signed (decision C2); the time may differ from the operator's clock by a
    // minute.
    const free = ['draft.policyTaskData.policyData.0.attestation', 'evaluation.now']
    const all = changes(asked.sign!)
    expect(all.length).toBeGreaterThan(25)
    for (const [path, changed] of all) {
      const told = await refusal(operators[0]!.sign(changed, signal))
      if (free.includes(path)) {
        expect(told, path).toBe('signed')
        continue
      }
      expect(told, path).toMatchObject({
        code: -32616,
        message: expect.stringMatching(/^operator refuses: |^Contract read failed: /),
      })
    }
  })

  it.each([
    ['draft.policyId', 'policyId'],
    ['draft.policyAddress', 'policyAddress'],
    ['evaluation.policy.cid', 'policyCid'],
    ['evaluation.entrypoint', 'entrypoint'],
    ['evaluation.params', 'params'],
    ['evaluation.paramsSchemaCid', 'paramsSchemaCid'],
    ['draft.policyConfig.policyParams', 'policyConfig.policyParams'],
    ['draft.policyConfig.expireAfter', 'policyConfig.expireAfter'],
    ['draft.policyTaskData.policyData.0.policyDataAddress', 'policyData.0.address'],
    ['draft.policyTaskData.policyData.0.expireBlock', 'policyData.0.expireBlock'],
    ['draft.taskId', 'taskId'],
    ['nonce', 'taskId'],
    ['evaluation.intent.value', 'taskId'],
    ['draft.intentSignature', 'intentSignature'],
  ])('names the member: %s', async (path, member) => {
    const changed = changes(asked.sign!).find(([name]) => name === path)![1]
    expect(await refusal(operators[0]!.sign(changed, signal))).toMatchObject({
      message: expect.stringContaining(`operator refuses: ${member} differs from the chain`),
      retryable: false,
    })
  })

  it('is refused for a reference block other than that of the task id', async () => {
    const earlier = { ...asked.sign!, referenceBlock: asked.sign!.referenceBlock - 1 }
    expect(await refusal(operators[0]!.sign(earlier, signal))).toMatchObject({
      message: expect.stringContaining('operator refuses: taskId differs from the chain'),
      retryable: false,
    })
  })

  it('is refused with an additional source', async () => {
    const { evaluation, draft, ...rest } = asked.sign!
    const source = 'package sample\nallow := true'
    for (const policy of [{ source }, { ...evaluation.policy, source }]) {
      const request = { ...rest, draft, evaluation: { ...evaluation, policy } }
      expect(await refusal(operators[0]!.sign(request, signal))).toMatchObject({
        message: expect.stringContaining('policyCid'),
      })
    }
  })

  it('is refused with consistent data that the operator has not observed', async () => {
    const { evaluation, draft } = asked.sign!
    const lie = (change: (data: { price: number }) => unknown): SignRequest => {
      const [first] = evaluation.data
      const parsed = JSON.parse(first!) as Record<string, { price: number }>
      const name = Object.keys(parsed)[0]!
      const data = [JSON.stringify({ [name]: change(parsed[name]!) })]
      const hex = `0x${Buffer.from(data[0]!).toString('hex')}` as const
      const policyData = draft.policyTaskData.policyData.map((each) => ({ ...each, data: hex }))
      return {
        ...asked.sign!,
        evaluation: { ...evaluation, data },
        draft: { ...draft, policyTaskData: { ...draft.policyTaskData, policyData } },
      }
    }
    const unseen = { message: 'operator refuses: it did not observe this data' }
    const dearer = lie((data) => ({ ...data, price: data.price * 1.2 }))
    expect(await refusal(operators[0]!.sign(dearer, signal))).toMatchObject(unseen)
    const more = lie((data) => ({ ...data, extra: true }))
    expect(await refusal(operators[0]!.sign(more, signal))).toMatchObject(unseen)

    // Within the tolerance of settling, but a second response to one task: equivocation.
    const near = lie((data) => ({ ...data, price: data.price * 1.01 }))
    expect(await refusal(operators[0]!.sign(near, signal))).toMatchObject({
      message: 'operator refuses: it has signed another response to this task',
      retryable: true,
    })
    expect((await operators[0]!.sign(asked.sign!, signal)).evaluationResult).toMatch(/1$/)
  })

  it('is refused with a time that differs from the operator clock', async () => {
    skew = 61_000
    try {
      expect(await refusal(operators[0]!.sign(asked.sign!, signal))).toMatchObject({
        message: 'operator refuses: now differs from its clock by more than 60 s',
        retryable: true,
      })
    } finally {
      skew = 0
    }
  })

  it('is refused for a block that its node does not know, or that is too old', async () => {
    const { referenceBlock } = asked.sign!
    const ahead = { ...asked.sign!, referenceBlock: referenceBlock + 1_000 }
    expect(await refusal(operators[0]!.sign(ahead, signal))).toMatchObject({
      message: expect.stringContaining('its node does not have block'),
      retryable: true,
    })
    const late = verifyingOperator(operators[0]!, {
      chain: view({ maxBlocksBehind: 0 }),
      clock: Date.now,
    })
    await stack.mine(1)
    expect(await refusal(late.sign(asked.sign!, signal))).toMatchObject({
      message: expect.stringContaining('blocks old'),
      retryable: true,
    })
  })

  it('is refused by an operator whose node is on another chain, has another contract, or is unreachable', async () => {
    const by = (chain: ReturnType<typeof view>) =>
      refusal(
        verifyingOperator(operators[0]!, { chain, clock: Date.now }).sign(asked.sign!, signal),
      )
    expect(await by(view({ chainId: 1 }))).toMatchObject({
      message: expect.stringContaining('chainId differs'),
    })
    expect(await by(view({ taskManager: `0x${'22'.repeat(20)}` }))).toMatchObject({
      message: expect.stringContaining('taskManager differs'),
    })
    const silent = createChainClient({ rpcUrl: 'http://127.0.0.1:1/a-key-in-the-path' })
    const away = await by(view({ client: silent }))
    expect(away).toMatchObject({
      message: 'operator refuses: its node is unavailable',
      retryable: true,
    })
    expect(JSON.stringify(away)).not.toContain('a-key-in-the-path')
  })
})

describe('a request for data', () => {
  it('is refused before any oracle runs if its sources differ from the chain', async () => {
    const honest = asked.data!
    for (const [path, changed] of changes(honest)) {
      // Arguments are the caller's; envelopes open only for this client; at the next block the
      // sources are the same; of another requester, the data confirms no task of this one.
      if (/wasmArgs|envelope|referenceBlock|requester/.test(path)) continue
      expect(await refusal(operators[0]!.collectData(changed, signal)), path).toMatchObject({
        code: -32616,
      })
    }
    const none = { ...honest, sources: [] }
    expect(await refusal(operators[0]!.collectData(none, signal))).toMatchObject({
      message: expect.stringContaining('sources.length'),
    })
  })

  it('runs only the component named by the contract, also in simulations', async () => {
    const { sources, policyClient } = asked.data!
    const simulated = { policyClient, sources }
    expect((await operators[0]!.collectData(simulated, signal)).outputs).toHaveLength(1)
    const other = sources.map((source) => ({ ...source, wasmCid: `${source.wasmCid}x` }))
    const told = await refusal(operators[0]!.collectData({ policyClient, sources: other }, signal))
    expect(told).toMatchObject({ message: 'operator refuses: wasmCid differs from the chain' })
  })
})

it('secrets are validated only against the schema on chain', async () => {
  const { sources, policyClient } = asked.data!
  const [{ policyDataAddress, envelope }] = sources as [DataRequest['sources'][number]]
  const { secretsSchemaCid } = await view().policyData(policyDataAddress)
  const request = { policyClient, policyDataAddress, envelope: envelope! }
  const upload = { ...request, schemaCid: secretsSchemaCid }
  expect((await operators[0]!.checkSecrets(upload, signal)).schema).toContain('{')
  const other = { ...request, schemaCid: 'another' }
  expect(await refusal(operators[0]!.checkSecrets(other, signal))).toMatchObject({
    message: 'operator refuses: schemaCid differs from the chain',
  })
})
