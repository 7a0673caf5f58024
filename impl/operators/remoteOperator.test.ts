import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../protocol/serviceError.ts'
import type { Operator } from './operator.ts'
import { regoFailed } from './operatorErrors.ts'
import { type OperatorServer, serveOperator } from './operatorServer.ts'
import { remoteOperator } from './remoteOperator.ts'
import { switchableOperator } from './switchableOperator.ts'

const token = 'token-between-gateway-and-operator'
let aborted: Promise<void>
const inner: Operator = {
  address: `0x${'ab'.repeat(20)}`,
  id: `0x${'01'.repeat(32)}`,
  async collectData(request, signal) {
    if (request.sources.length === 0)
      return { outputs: ['{"wei":12345678901234567890}'], timings: {} }
    aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
  async evaluate() {
    throw regoFailed('undefined rule x.allow')
  },
  async sign() {
    throw new Error('a secret that must stay here')
  },
  async checkSecrets({ schemaCid }) {
    return { schema: `{"title":"${schemaCid}"}` }
  },
}
const endless = {
  policyClient: inner.address,
  sources: [{ policyDataAddress: inner.address, wasmCid: '', wasmArgs: '0x', envelope: null }],
} as const
const quick = { policyClient: inner.address, sources: [] }
const never = new AbortController().signal

let server: OperatorServer
const remote = (overrides: { url?: string; token?: string } = {}) =>
  remoteOperator({
    url: server.url,
    token,
    address: inner.address,
    id: inner.id,
    fetch,
    ...overrides,
  })

beforeAll(async () => {
  server = await serveOperator({ operator: inner, token })
})
afterAll(() => server.close())

describe('an operator over HTTP', () => {
  it('answers as in its own process', async () => {
    expect((await remote().collectData(quick, never)).outputs).toEqual([
      '{"wei":12345678901234567890}',
    ])
  })

  it('checks secrets as in its own process', async () => {
    const { address: policyClient } = inner
    const upload = { policyClient, policyDataAddress: policyClient, schemaCid: 'c', envelope: '{}' }
    expect(await remote().checkSecrets(upload, never)).toEqual({ schema: '{"title":"c"}' })
  })

  it('passes on code and retryability of its failures, and nothing of unforeseen ones', async () => {
    await expect(remote().evaluate({} as never, never)).rejects.toMatchObject({
      message: 'Rego evaluation failed: undefined rule x.allow',
      code: -32615,
      retryable: false,
    })
    const error = await remote()
      .sign({} as never, never)
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(JSON.stringify([error.message, error])).not.toContain('secret')
  })

  it('refuses a wrong token, and looks unreachable then', async () => {
    await expect(remote({ token: `${token}x` }).collectData(quick, never)).rejects.toMatchObject({
      message: 'operator unreachable: HTTP 401',
      retryable: true,
    })
  })

  it('is unreachable when nothing listens', async () => {
    await expect(
      remote({ url: 'http://127.0.0.1:1' }).collectData(quick, never),
    ).rejects.toMatchObject({ message: 'operator unreachable: connection failed', retryable: true })
  })

  it.each(['null', '[]', '{"error":7}', '{"error":{"message":7,"code":"x"}}', '{', ''])(
    'is told from one that answers %j',
    async (body) => {
      const { address, id } = inner
      const operator = remoteOperator({
        ...{ url: server.url, token, address, id },
        fetch: (async () => new Response(body)) as typeof fetch,
      })
      const answer = await operator.evaluate({} as never, never).catch((error) => error)
      if (answer !== undefined) expect(answer).toBeInstanceOf(ServiceError)
    },
  )

  it('is not read on when it answers without end', async () => {
    const endless = (async () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
        }),
      )) as typeof fetch
    const { address, id } = inner
    const operator = remoteOperator({ url: server.url, token, address, id, fetch: endless })
    await expect(operator.collectData(quick, never)).rejects.toThrow('its answer is too large')
  })

  it('aborts the work when the gateway gives up', async () => {
    const caller = new AbortController()
    const call = remote().collectData(endless, caller.signal)
    setTimeout(() => caller.abort(new Error('given up')), 50)
    await expect(call).rejects.toThrow('given up')
    await aborted
  })
})

describe('an operator that is switched off', () => {
  it('is unreachable until it is switched on, and loses what is under way', async () => {
    const operator = switchableOperator(inner)
    const call = operator.collectData(endless, never)
    operator.stop()
    await expect(call).rejects.toMatchObject({ message: 'operator unreachable: connection lost' })
    await expect(operator.collectData(quick, never)).rejects.toMatchObject({ retryable: true })
    expect(operator.running).toBe(false)
    operator.start()
    expect((await operator.collectData(quick, never)).outputs).toHaveLength(1)
  })
})
