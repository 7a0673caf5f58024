import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Operator } from './operator.ts'
import { type OperatorConnectionOptions, operatorConnection } from './operatorConnection.ts'
import { regoFailed } from './operatorErrors.ts'
import { type OperatorServerOptions, serveOperator } from './operatorServer.ts'
import { type CallTimeouts, remoteOperator } from './remoteOperator.ts'
import { switchableOperator } from './switchableOperator.ts'
import { never, operatorThat, quick, sharedToken } from './testing/echoOperator.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

let aborted: Promise<void>
const inner = operatorThat({
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
})
const endless = {
  policyClient: inner.address,
  sources: [{ policyDataAddress: inner.address, wasmCid: '', wasmArgs: '0x', envelope: null }],
} as const

async function serve(options: Partial<OperatorServerOptions> = {}) {
  const given = { operator: inner, token: sharedToken, clock: Date.now, ...options }
  const server = await serveOperator(given)
  cleanup.defer(() => server.close())
  return server
}

function remote(
  url: string,
  changed: Partial<OperatorConnectionOptions> & { timeouts?: Partial<CallTimeouts> } = {},
): Operator {
  const { address, id } = inner
  const options = { url, token: sharedToken, address, id, clock: Date.now, ...changed }
  const connection = operatorConnection(options)
  cleanup.defer(() => connection.close())
  return remoteOperator({ connection, address, id, timeouts: changed.timeouts })
}

describe('an operator over HTTP', () => {
  it('behaves like a local operator', async () => {
    const { url } = await serve()
    expect((await remote(url).collectData(quick, never)).outputs).toEqual([
      '{"wei":12345678901234567890}',
    ])
  })

  it.each([-2, 2])('still answers after the clock has jumped by %i hours', async (hours) => {
    let passed = 0
    let jumped = 0
    const running = performance.now.bind(performance)
    const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => running() + passed)
    cleanup.defer(() => monotonic.mockRestore())
    const clock = () => Date.now() + passed + jumped
    const { url } = await serve({ clock })
    const operator = remote(url, { clock })
    for (const sign of [1, -1, 1]) {
      for (let calls = 0; calls < 3; calls++) {
        await operator.collectData(quick, never)
        passed += 130_000
      }
      jumped += sign * hours * 3_600_000
    }
    await operator.collectData(quick, never)
  })

  it('checks secrets like a local operator', async () => {
    const { url } = await serve()
    const { address: policyClient } = inner
    const upload = { policyClient, policyDataAddress: policyClient, schemaCid: 'c', envelope: '{}' }
    expect(await remote(url).checkSecrets(upload, never)).toEqual({ schema: '{"title":"c"}' })
  })

  it('passes on code and retryability of failures, and no details of unexpected ones', async () => {
    const { url } = await serve()
    await expect(remote(url).evaluate({} as never, never)).rejects.toMatchObject({
      message: 'Rego evaluation failed: undefined rule x.allow',
      code: -32615,
      retryable: false,
    })
    const error = await remote(url)
      .sign({} as never, never)
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(ServiceError)
    expect(JSON.stringify([error.message, error])).not.toContain('secret')
  })

  it('is not used with another secret, which is not retryable', async () => {
    const { url } = await serve()
    const stranger = remote(url, { token: `${sharedToken}x` })
    await expect(stranger.collectData(quick, never)).rejects.toMatchObject({
      message:
        'operator unreachable: it refused the call: the signature does not verify with a known secret',
      retryable: false,
    })
  })

  it('reports a clock difference', async () => {
    const { url } = await serve({ clock: () => Date.now() + 120_000 })
    await expect(remote(url).collectData(quick, never)).rejects.toMatchObject({
      message: expect.stringContaining('too old, or the clocks differ'),
      retryable: true,
    })
  })

  it.each([
    ['address', { address: `0x${'cd'.repeat(20)}` }, `operator 0x${'cd'.repeat(20)}`],
    ['key', { id: `0x${'02'.repeat(32)}` }, `BLS key 0x${'02'.repeat(32)}`],
  ] as const)('is reported and not used if it has another %s', async (_, changed, name) => {
    let called = false
    const collectData = async () => {
      called = true
      return { outputs: [], timings: {} }
    }
    const { url } = await serve({ operator: operatorThat({ ...changed, collectData }) })
    await expect(remote(url).collectData(quick, never)).rejects.toMatchObject({
      message: `operator unreachable: ${name} answers instead`,
      retryable: false,
    })
    expect(called).toBe(false)
  })

  it('is verified again after an outage', async () => {
    const first = await serve()
    const { port } = new URL(first.url)
    const operator = remote(first.url)
    await operator.collectData(quick, never)
    await first.close()
    await expect(operator.collectData(quick, never)).rejects.toMatchObject({
      message: 'operator unreachable: connection refused',
      retryable: true,
    })
    const other = operatorThat({ id: `0x${'03'.repeat(32)}` })
    const second = await serve({ port: Number(port), operator: other })
    await expect(operator.collectData(quick, never)).rejects.toThrow('BLS key 0x0303')
    await second.close()
    await serve({ port: Number(port) })
    expect((await operator.collectData(quick, never)).outputs).toHaveLength(1)
  })

  it('gets a call again if its idle connection was closed', async () => {
    const { url } = await serve({ bounds: { keepAliveMs: 1 } })
    const operator = remote(url)
    for (let at = 0; at < 5; at++) {
      expect((await operator.collectData(quick, never)).outputs).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, at))
    }
  })

  it('aborts the work when the gateway aborts', async () => {
    const { url } = await serve()
    const caller = new AbortController()
    const operator = remote(url)
    await operator.collectData(quick, never)
    const call = operator.collectData(endless, caller.signal)
    setTimeout(() => caller.abort(new Error('aborted')), 50)
    await expect(call).rejects.toThrow('aborted')
    await aborted
  })

  it('aborts the work at the timeout', async () => {
    const { url } = await serve()
    const operator = remote(url, { timeouts: { data: 200 } })
    await expect(operator.collectData(endless, never)).rejects.toMatchObject({
      message: 'operator unreachable: no answer within 0.2 s',
      retryable: true,
    })
    await aborted
  })
})

describe('an operator that is switched off', () => {
  it('is unreachable until it is switched on, and loses calls in flight', async () => {
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
