import { methods } from 'polgate-protocol/methods.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requirePermission } from './authentication.ts'
import { openTestGateway, type TestGateway, validParams } from './gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const names = Object.keys(methods) as (keyof typeof methods)[]
const granted = { RpcRead: ['read', 'rpc'], RpcWrite: ['write', 'rpc'] } as const
const all = ['read', 'write', 'rpc', 'admin', 'none'] as const

describe.each(names)('%s', (name) => {
  const permission = methods[name].permission
  const allowed: readonly string[] = granted[permission]

  it.each(all.filter((key) => allowed.includes(key)))('is open to the key %s', async (key) => {
    const { status, body } = await gateway.call(name, validParams[name], { key: gateway.keys[key] })
    expect(status).toBe(200)
    expect(body.error).toBeUndefined()
  })

  it.each(all.filter((key) => !allowed.includes(key)))('is closed to the key %s', async (key) => {
    gateway.recorded.calls.length = 0
    const { status, body } = await gateway.call(name, validParams[name], { key: gateway.keys[key] })
    expect(status).toBe(403)
    expect(body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32003, message: `${permission} permission required` },
      id: 'call-1',
    })
    expect(gateway.recorded.calls).toEqual([])
  })
})

describe('permission', () => {
  it('is checked before the parameters', async () => {
    const { body } = await gateway.call('createTask', { bad: true }, { key: gateway.keys.none })
    expect(body.error.code).toBe(-32003)
  })

  it('is not checked for an unknown method', async () => {
    const { status, body } = await gateway.call('none', {}, { key: gateway.keys.none })
    expect({ status, code: body.error.code }).toEqual({ status: 200, code: -32601 })
  })

  it('is an error of only its entry in a batch, with HTTP 200', async () => {
    const call = { jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', id: 'x' }
    const response = await gateway.send(
      JSON.stringify([call, { ...call, method: 'rpc.discover' }]),
      {
        key: gateway.keys.none,
      },
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject([
      { error: { code: -32003, message: 'RpcRead permission required' }, id: 'x' },
      { result: { openrpc: '1.3.2' } },
    ])
  })

  it.each([
    ['RpcRead', 'rpc_read', true],
    ['RpcRead', 'rpc', true],
    ['RpcRead', 'rpc_write', false],
    ['RpcRead', 'admin', false],
    ['RpcWrite', 'rpc_write', true],
    ['RpcWrite', 'rpc', true],
    ['RpcWrite', 'rpc_read', false],
    ['RpcWrite', 'admin', false],
  ] as const)('%s with %s: %s', (permission, held, open) => {
    const check = () => requirePermission({ permissions: [held] }, permission)
    if (open) expect(check).not.toThrow()
    else expect(check).toThrow(`${permission} permission required`)
  })
})

describe('caller', () => {
  it('is passed on with its key id and owners, without its key', async () => {
    gateway.recorded.calls.length = 0
    await gateway.call('createTask', validParams.createTask, { key: gateway.keys.read })
    const [{ caller } = { caller: undefined }] = gateway.recorded.calls
    expect(caller).toEqual({
      keyId: expect.stringMatching(/^[0-9a-f]{12}$/),
      rotatedAt: null,
      permissions: ['rpc_read'],
      owners: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    })
  })
})
