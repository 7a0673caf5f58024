import { defaultBrand, wireBrand } from 'polgate-protocol/brand.ts'
import { describe, expect, it } from 'vitest'
import { createIntent } from '../intents/createIntent.ts'
import { taskDecision } from '../tasks/taskDecision.ts'
import { brandOf } from './brand.ts'
import { createBaseClient } from './createBaseClient.ts'
import { createServiceClient } from './createServiceClient.ts'

const good = { url: 'https://gateway.example/base/', key: 'k' }

describe('the options of a client', () => {
  it('name the addresses', () => {
    expect(createBaseClient(good)).toMatchObject({
      url: 'https://gateway.example/base',
      socketUrl: 'wss://gateway.example/base/ws',
    })
    expect(createBaseClient({ ...good, socketUrl: 'ws://other:1/socket' }).socketUrl).toBe(
      'ws://other:1/socket',
    )
  })

  it.each([
    [{ url: 'gateway' }],
    [{ url: 'ftp://gateway' }],
    [{ url: 'https://user:secret-word@gateway' }],
    [{ url: 'https://gateway/?secret-word' }],
    [{ socketUrl: 'https://gateway/ws' }],
    [{ brand: '' }],
    [{ brand: 'a b' }],
    [{ brand: { methodPrefix: 'a\nb' } }],
    [{ timeoutMs: 0 }],
    [{ timeoutMs: Number.NaN }],
    [{ retries: -1 }],
    [{ maxResponseBytes: 0 }],
    [{ chain: { id: -1 } }],
  ])('are refused without being quoted: %j', (options) => {
    const create = () => createBaseClient({ ...good, ...options })
    expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }))
    expect(create).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret-word') }),
    )
  })

  it('do not show the key', () => {
    const client = createServiceClient({ ...good, key: 'the-secret-key' })
    expect(JSON.stringify(client)).not.toContain('the-secret-key')
    expect(Object.values(client).map(String).join()).not.toContain('the-secret-key')
  })
})

describe('brandOf', () => {
  it('is the brand of the protocol', () => {
    const { witPackage: _, regoNamespace: __, ...names } = defaultBrand
    for (const brand of [undefined, 'svc', 'svc_', {}]) expect(brandOf(brand)).toEqual(names)
    const { witPackage: ___, regoNamespace: ____, ...acme } = wireBrand('acme')
    for (const brand of ['acme', 'acme_', acme]) expect(brandOf(brand)).toEqual(acme)
    expect(brandOf({ topicPrefix: 't/' })).toEqual({ ...names, topicPrefix: 't/' })
  })
})

describe('createIntent', () => {
  const from = `0x${'11'.repeat(20)}` as const
  const base = { from, to: from, chainId: 31_337 }

  it('has the form of the wire', () => {
    expect(createIntent(base)).toEqual({
      from,
      to: from,
      value: '0x0',
      data: '0x',
      chain_id: '0x7a69',
      function_signature: '0x',
    })
    const call = { ...base, value: 16n, functionSignature: 'function transfer(address,uint256)' }
    expect(createIntent(call)).toMatchObject({
      value: '0x10',
      function_signature: `0x${Buffer.from('transfer(address,uint256)').toString('hex')}`,
    })
  })

  it.each([
    ['a selector', { functionSignature: '0xa9059cbb' }],
    ['a negative value', { value: -1n }],
    ['a negative chain', { chainId: -1 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => createIntent({ ...base, ...wrong } as never)).toThrow()
  })
})

describe('taskDecision', () => {
  const of = (bytes: Iterable<number>) =>
    taskDecision({ task_response: { evaluation_result: [...bytes] } as never })
  const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  const text = (value: string) =>
    Buffer.concat([word(32), word(value.length), Buffer.from(value.padEnd(32, '\0'))])

  it.each([
    ['true', word(1), { allow: true, value: true }],
    ['false', word(0), { allow: false, value: false }],
    ['the text true', text('true'), { allow: true, value: 'true' }],
    ['another text', text('CAP'), { allow: false, value: 'CAP' }],
    ['JSON', Buffer.from('{"allow":true}'), { allow: false, value: { allow: true } }],
    ['another number', word(2), { allow: false, value: undefined }],
    ['nothing', Buffer.of(), { allow: false, value: undefined }],
    ['a text that is cut', text('true').subarray(0, 80), { allow: false, value: undefined }],
  ])('of %s', (_, bytes, decision) => {
    expect(of(bytes)).toEqual(decision)
  })
})
