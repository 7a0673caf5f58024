import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../store/storeError.ts'
import {
  type AnswerBody,
  openTestGateway,
  type TestGateway,
  validParams,
} from './gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.recorded.respond(() => ({ success: true }))
  gateway.recorded.calls.length = 0
})

async function post(value: unknown) {
  const response = await gateway.send(JSON.stringify(value))
  return { status: response.status, body: (await response.json()) as AnswerBody & AnswerBody[] }
}
const key = { jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', params: {}, id: 'x' }

describe('id', () => {
  it.each(['7f5c3b4e-0d3c-4c61-9f0e-3c1d1c3d9a11', '', 7, 0, -1.5, null, '\u0000\ud800'])(
    'is echoed: %j',
    async (id) => {
      expect((await post({ ...key, id })).body.id).toBe(id)
      expect((await post({ ...key, id, method: 'svc_none' })).body.id).toBe(id)
    },
  )

  it('is null if absent', async () => {
    const { id: _, ...rest } = key
    expect((await post(rest)).body).toMatchObject({ result: {}, id: null })
  })
})

describe('invalid request', () => {
  it.each([
    null,
    7,
    'text',
    true,
    {},
    { ...key, jsonrpc: '1.0' },
    { ...key, jsonrpc: 2 },
    { ...key, jsonrpc: undefined },
    { ...key, method: undefined },
    { ...key, method: 7 },
    { ...key, method: null },
    { ...key, params: 'text' },
    { ...key, params: 7 },
    { ...key, params: false },
    { ...key, id: {} },
    { ...key, id: [] },
    { ...key, id: true },
  ])('is %j', async (value) => {
    expect(await post(value)).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
    })
  })
})

describe('method', () => {
  it.each([
    'svc_none',
    'createTask',
    'svc_',
    '',
    'SVC_createTask',
    'svc_createtask',
    'svc_constructor',
    'svc___proto__',
    'rpc.none',
  ])('is unknown as %j', async (method) => {
    expect(await post({ ...key, method })).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        error: { code: -32601, message: `Unknown service RPC method: ${method}` },
        id: 'x',
      },
    })
  })

  it('is truncated in the error', async () => {
    const { body } = await post({ ...key, method: 'm'.repeat(100_000) })
    expect(body.error.message).toHaveLength('Unknown service RPC method: '.length + 128)
  })

  it('follows the brand', async () => {
    const branded = await openTestGateway({
      brand: { ...(await import('polgate-protocol/brand.ts')).defaultBrand, methodPrefix: 'acme_' },
    })
    const body = JSON.stringify({ ...key, method: 'acme_getSecretsPublicKey' })
    expect(await (await branded.send(body)).json()).toMatchObject({ result: {} })
    expect(await (await branded.send(JSON.stringify(key))).json()).toMatchObject({
      error: { code: -32601 },
    })
    await branded.close()
  })
})

describe('batch', () => {
  it('is answered in order, with one response per call', async () => {
    const { status, body } = await post([
      key,
      { ...key, id: 2, method: 'svc_none' },
      7,
      { ...key, id: 'last' },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { result: { public_key: 'aa'.repeat(32) }, id: 'x' },
      { error: { code: -32601 }, id: 2 },
      { error: { code: -32600 }, id: null },
      { result: {}, id: 'last' },
    ])
  })

  it('preserves order, and runs a bounded number of calls concurrently', async () => {
    let running = 0
    let most = 0
    let allRun = () => {}
    const eightRun = new Promise<void>((resolve) => {
      allRun = resolve
    })
    gateway.recorded.respond(async ({ timeout }: { timeout: number }) => {
      most = Math.max(most, ++running)
      if (running === 8) allRun()
      await eightRun
      await new Promise((done) => setTimeout(done, timeout))
      running--
      return { status: 'success', timestamp: timeout }
    })
    const calls = Array.from({ length: 30 }, (_, n) => ({
      ...key,
      id: n,
      method: 'svc_createTask',
      params: { ...validParams.createTask, timeout: 31 - n },
    }))
    const { body } = await post(calls)
    expect(body.map((answer) => answer.id)).toEqual(calls.map(({ id }) => id))
    expect(most).toBe(8)
  })

  it('is an invalid request if empty or longer than 100', async () => {
    for (const calls of [[], new Array(101).fill(key)])
      expect(await post(calls)).toMatchObject({
        status: 200,
        body: { error: { code: -32600, message: 'Invalid request' }, id: null },
      })
    expect((await post(new Array(100).fill(key))).body).toHaveLength(100)
  })

  it('does not contain batches', async () => {
    expect((await post([[key]])).body).toMatchObject([{ error: { code: -32600 } }])
  })
})

describe('response', () => {
  const create = () => gateway.call('createTask', validParams.createTask)

  it('is the result', async () => {
    gateway.recorded.respond(() => ({ status: 'failed', error: 'Task timeout' }))
    expect(await create()).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', result: { status: 'failed', error: 'Task timeout' }, id: 'call-1' },
    })
  })

  it('contains numbers with every digit', async () => {
    gateway.recorded.respond(() => ({ value: 123456789012345678901234567890n }))
    const response = await gateway.send(
      JSON.stringify({ ...key, method: 'svc_createTask', params: validParams.createTask }),
    )
    expect(await response.text()).toBe(
      '{"jsonrpc":"2.0","result":{"value":123456789012345678901234567890},"id":"x"}',
    )
  })

  it.each([
    errorCode.policyEvaluation,
    errorCode.contract,
    errorCode.operatorNotRegistered,
    errorCode.incompatiblePolicyVersion,
    errorCode.incompatiblePolicyDataVersion,
    errorCode.dataProvider,
    errorCode.authorization,
  ])('is the error of the service %d with HTTP 200', async (code) => {
    gateway.recorded.respond(() => {
      throw new ServiceError('Authorization failed: x', {
        code,
        clause: 'section 7.2',
        hint: 'HINT',
      })
    })
    const { status, body } = await create()
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      error: { code, message: 'Authorization failed: x' },
      id: 'call-1',
    })
  })

  it('is an internal error without the cause, which is logged', async () => {
    gateway.log.length = 0
    gateway.recorded.respond(() => {
      throw new TypeError('INSIDE')
    })
    expect(await create()).toMatchObject({
      status: 500,
      body: { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: 'call-1' },
    })
    expect(JSON.stringify((await create()).body)).not.toContain('INSIDE')
    expect(gateway.log.join('')).toContain('INSIDE')
  })

  it.each([undefined, null, 'text', 7])('is an internal error if %j is thrown', async (thrown) => {
    gateway.recorded.respond(() => {
      throw thrown
    })
    expect(await create()).toMatchObject({ status: 500, body: { error: { code: -32603 } } })
  })

  it('is an internal error if the result cannot be serialized', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    gateway.recorded.respond(() => circle)
    expect(await create()).toMatchObject({ status: 500, body: { error: { code: -32603 } } })
  })

  it('is 502 if the store is unavailable', async () => {
    gateway.recorded.respond(() => {
      throw new StoreError('INSIDE', { code: 'unavailable', hint: '' })
    })
    const { status, body } = await create()
    expect(status).toBe(502)
    expect(body.error).toEqual({ code: -32603, message: 'Service unavailable' })
  })

  it('has a special form if no operator is available', async () => {
    gateway.recorded.respond(() => {
      throw new ServiceUnavailable()
    })
    const { status, body } = await gateway.call('simulateTask', validParams.simulateTask)
    expect(status).toBe(200)
    expect(body).toEqual({
      result: null,
      error: { ServiceUnavailable: 'No operators available' },
      id: null,
    })
  })
})
