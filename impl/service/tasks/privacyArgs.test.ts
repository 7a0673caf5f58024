import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEncryptionKey } from '../envelopes/encryptionKey.ts'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { prepareTask, wasmArgsOf } from './prepare.ts'
import { hadPrivacy, splitPrivacy, storedRequest } from './privacyArgs.ts'

const client: Address = `0x${'c1'.repeat(20)}`
const hex = (text: string): Data => `0x${Buffer.from(text).toString('hex')}`
const text = (args: Data) => Buffer.from(args.slice(2), 'hex').toString()

let envelope: string
beforeAll(async () => {
  const { key } = await createEncryptionKey()
  envelope = await sealEnvelope({
    ...{ policyClient: client, chainId: 1, recipientPublicKey: key.publicKey },
    plaintext: Buffer.from('1'),
  })
})

describe('the reserved member of wasm_args', () => {
  it.each([
    ['nothing', ''],
    ['JSON', '{"a":  1.10, "b": {"_privacy": {"x": "y"}}}'],
    ['other escapes', '{"a": "\\u00e9"}'],
    ['an array', '[{"_privacy": {}}]'],
    ['a string', '"_privacy"'],
    ['no JSON', '{"a": '],
  ])('is absent from %s, which stays unchanged', (_, args) => {
    expect(splitPrivacy(hex(args))).toEqual({ wasmArgs: hex(args), privacy: {} })
  })

  it.each([
    ['first', (member: string) => `{"_privacy": ${member}, "n": 1.10, "m": 12345678901234567890}`],
    [
      'escaped',
      (member: string) => `{"n":1.10,"\\u005fprivacy": ${member},"m":12345678901234567890}`,
    ],
    [
      'twice',
      (member: string) =>
        `{"_privacy": {"old": "x"}, "n": 1.10, "m": 12345678901234567890, "_privacy": ${member}}`,
    ],
  ])('is taken out where it is %s', (_, args) => {
    const { wasmArgs, privacy } = splitPrivacy(hex(args(JSON.stringify({ bid: envelope }))))
    expect(privacy).toEqual({ bid: envelope })
    expect(text(wasmArgs)).toBe('{"n":1.10,"m":12345678901234567890}')
  })

  it.each<[string, unknown, string]>([
    ['an array', [], 'is not an object'],
    ['text', 'x', 'is not an object'],
    ['null', null, 'is not an object'],
    ['a number inside', { bid: 1 }, '_privacy.bid is not an envelope in a string'],
    ['a name of another form', { 'a b': 'x' }, 'is not a name'],
    [
      'nine members',
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`e${at}`, 'x'])),
      'more than 8 members',
    ],
  ])('is refused if it is %s', (_, member, message) => {
    expect(() => splitPrivacy(hex(JSON.stringify({ _privacy: member })))).toThrow(message)
  })

  it('is refused in anything but JSON', () => {
    expect(() => splitPrivacy(hex('{"_privacy": {"bid": "x"}'))).toThrow('is not JSON')
    const deep = `{"_privacy": {}, "a": ${'['.repeat(200)}${']'.repeat(200)}}`
    expect(() => splitPrivacy(hex(deep))).toThrow('nested too deeply')
  })
})

describe('a task with ephemeral envelopes', () => {
  const request = (member: unknown, policy_client: Address = client): CreateTaskParams => ({
    policy_client,
    intent: {
      ...{ from: client, to: client, value: '0x1', data: '0x' },
      ...{ chain_id: '0x1', function_signature: '0x' },
    },
    wasm_args: hex(JSON.stringify({ a: 1, _privacy: member })),
  })

  it('has them apart from the arguments, and is stored without them', () => {
    const params = request({ bid: envelope })
    const task = prepareTask(params)
    expect(task).toMatchObject({ wasmArgs: hex('{"a":1}'), privacy: { bid: envelope } })
    expect(wasmArgsOf(params.wasm_args)).toBe(hex('{"a":1}'))
    const stored = storedRequest(params, task)
    expect(stored).toEqual({ ...params, wasm_args: hex('{"a":1}'), _privacy: 1 })
    expect(hadPrivacy(stored)).toBe(true)
    expect(prepareTask(stored as never)).toMatchObject({ wasmArgs: hex('{"a":1}'), privacy: {} })
  })

  it('is stored unchanged without any; no caller can set the mark', () => {
    const { wasm_args: _, ...params } = request({})
    expect(storedRequest(params, prepareTask(params))).toEqual(params)
    const marked = { ...params, _privacy: 3 }
    expect(hadPrivacy(storedRequest(marked, prepareTask(marked)))).toBe(false)
  })

  it('is refused for an envelope of another client, and for none', () => {
    const other: Address = `0x${'99'.repeat(20)}`
    expect(() => prepareTask(request({ bid: envelope }, other))).toThrow(
      'wasm_args._privacy.bid: policy_client is not that of the task',
    )
    expect(() => prepareTask(request({ bid: '{}' }))).toThrow(
      'wasm_args._privacy.bid: envelope.enc',
    )
  })
})
