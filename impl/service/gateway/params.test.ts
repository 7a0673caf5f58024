import type { TSchema } from '@sinclair/typebox'
import { methods } from 'polgate-protocol/methods.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  intent,
  openTestGateway,
  owner,
  policyTaskData,
  type TestGateway,
  validParams,
} from './gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.recorded.calls.length = 0
})

const create = (members: object) =>
  gateway.call('createTask', { ...validParams.createTask, ...members })
const withIntent = (members: object) => create({ intent: { ...intent, ...members } })
const received = () => gateway.recorded.calls[0]?.params as Record<string, unknown>

async function refused(answer: Promise<{ status: number; body: unknown }>, details: string) {
  expect(await answer).toMatchObject({
    status: 200,
    body: { error: { code: -32602, message: `Invalid request format: ${details}` }, id: 'call-1' },
  })
  expect(gateway.recorded.calls).toEqual([])
}

const quantity = 'must be hex quantity without leading zeros, at most 256 bits'
const data = 'must be hex bytes with 0x prefix and an even digit count'
const looseData = 'must be hex bytes with an even digit count, 0x prefix optional'
const address = 'must be 20-byte hex address with 0x prefix'
const chainId = 'must be chain id as hex quantity or decimal string'

describe('members of the intent', () => {
  it.each([
    ['value', '0x00', quantity],
    ['value', '0x01', quantity],
    ['value', '0x', quantity],
    ['value', '1', quantity],
    ['value', '0xg', quantity],
    ['value', `0x1${'0'.repeat(64)}`, quantity],
    ['value', 1, 'must be string'],
    ['value', null, 'must be string'],
    ['data', '0x0', data],
    ['data', '00', data],
    ['data', '', data],
    ['data', '0X00', data],
    ['data', '0x00\n', data],
    ['function_signature', '0xzz', data],
    ['from', owner.slice(2), address],
    ['to', `${owner}00`, address],
    ['to', {}, 'must be string'],
    ['chain_id', '0x01', chainId],
    ['chain_id', '01', chainId],
    ['chain_id', '-1', chainId],
    ['chain_id', 31337, 'must be string'],
  ])('intent.%s is rejected: %j', async (member, value, rule) => {
    await refused(withIntent({ [member]: value }), `intent.${member} ${rule}`)
  })

  it.each(Object.keys(intent))('intent.%s is required', async (member) => {
    await refused(withIntent({ [member]: undefined }), `intent.${member} is required`)
  })

  it.each([
    ['value', '0x0'],
    ['value', `0x${'f'.repeat(64)}`],
    ['chain_id', '31337'],
    ['chain_id', '0'],
    ['chain_id', '0x0'],
    ['data', '0xABcd'],
    ['to', owner.toUpperCase().replace('0X', '0x')],
  ])('intent.%s is accepted unmodified: %j', async (member, value) => {
    await withIntent({ [member]: value })
    expect(received().intent).toEqual({ ...intent, [member]: value })
  })

  it('accepts calldata up to the size limit of the body', async () => {
    await withIntent({ data: `0x${'00'.repeat(1_000_000)}` })
    expect(gateway.recorded.calls).toHaveLength(1)
  })
})

const proof = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

describe('optional members', () => {
  const optional = {
    intent_signature: '0x',
    quorum_number: '0x00',
    quorum_threshold_percentage: 67,
    wasm_args: '0x7b7d',
    timeout: 1,
    proof_cid: proof,
    include_validate_calldata: true,
  }

  it('are passed on unmodified', async () => {
    await create(optional)
    expect(received()).toEqual({ ...validParams.createTask, ...optional })
  })

  it.each(Object.keys(optional))('null means absent: %s', async (member) => {
    await create({ ...optional, [member]: null })
    expect(received()).not.toHaveProperty(member)
    expect(received()).toHaveProperty('intent')
  })

  it.each(['intent_signature', 'quorum_number', 'wasm_args'])(
    '%s is accepted as bare hex and gets its prefix',
    async (member) => {
      await create({ [member]: '00ff' })
      expect(received()[member]).toBe('0x00ff')
      gateway.recorded.calls.length = 0
      await create({ [member]: '' })
      expect(received()[member]).toBe('0x')
    },
  )

  it.each<[string, unknown, string]>([
    ['intent_signature', '0', looseData],
    ['quorum_number', '0x0', looseData],
    ['wasm_args', '{}', looseData],
    ['wasm_args', '00'.repeat(65 * 1024), 'must NOT have more than 131074 characters'],
    ['quorum_threshold_percentage', -1, 'must be >= 0'],
    ['quorum_threshold_percentage', 101, 'must be <= 100'],
    ['quorum_threshold_percentage', 50.5, 'must be integer'],
    ['quorum_threshold_percentage', '67', 'must be integer'],
    ['timeout', 0, 'must be > 0'],
    ['timeout', -1, 'must be > 0'],
    ['timeout', 601, 'must be <= 600'],
    ['timeout', '30', 'must be number'],
    ['quorum_number', '00'.repeat(258), 'must NOT have more than 514 characters'],
    ['include_validate_calldata', 'true', 'must be boolean'],
    ['proof_cid', 7, 'must be string'],
    ...[
      '',
      'bafy',
      'not a cid',
      'Qm',
      proof.slice(0, -1),
      `${proof}a`,
      ` ${proof}`,
      '0x00',
      `/ipfs/${proof}`,
    ].map((text): [string, unknown, string] => [
      'proof_cid',
      text,
      'must be an IPFS content id (CIDv0 or CIDv1)',
    ]),
    ['proof_cid', 'b'.repeat(257), 'must NOT have more than 256 characters'],
  ])('%s is rejected: %j', async (member, value, rule) => {
    await refused(create({ [member]: value }), `${member} ${rule}`)
    if (member in methods.sendTask.params.properties)
      await refused(
        gateway.call('sendTask', { ...validParams.sendTask, [member]: value }),
        `${member} ${rule}`,
      )
  })

  it.each([
    proof,
    'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
    'bafyreigdmqpykrgxyaxtlafqpqhzrb7qy2rh75nldvfd4tucqmqqme5yje',
    'zdj7WWeQ43G6JJvLWQWZpyHuAMq6uYWRjkBXFad11vE2LHhQ7',
    'f01551220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  ])('proof_cid is accepted: %s', async (proof_cid) => {
    await create({ proof_cid })
    expect(received().proof_cid).toBe(proof_cid)
  })
})

describe('lists of allowed values', () => {
  const types =
    'channel_error, timeout, quorum_not_reached, onchain_submission_failed, policy_evaluation_failed, signature_verification_failed, internal_error'

  it.each([
    [['nope'], `failure_types[0] must be one of ${types}, not "nope"`],
    [['timeout', 'Timeout'], `failure_types[1] must be one of ${types}, not "Timeout"`],
    [[7], `failure_types[0] must be one of ${types}, not 7`],
    [[null], `failure_types[0] must be one of ${types}, not null`],
    [[{ a: 'x' }], `failure_types[0] must be one of ${types}, not an object`],
    [['x'.repeat(1000)], `failure_types[0] must be one of ${types}, not "${'x'.repeat(64)}..."`],
    ['timeout', 'failure_types must be array'],
  ])('failure_types %j', async (failure_types, details) => {
    await refused(
      gateway.call('registerWebhook', { ...validParams.registerWebhook, failure_types }),
      details,
    )
  })

  it('every enumeration of every method lists its values', () => {
    const found: string[] = []
    const visit = (schema: TSchema, path: string) => {
      const constants = (schema.anyOf as TSchema[] | undefined)?.every((one) => 'const' in one)
      if (constants === true || schema.enum !== undefined || 'const' in schema) found.push(path)
      for (const [name, member] of Object.entries(schema.properties ?? {}))
        visit(member as TSchema, `${path}.${name}`)
      if (schema.items !== undefined) visit(schema.items as TSchema, `${path}[]`)
    }
    for (const [name, { params }] of Object.entries(methods)) visit(params, name)
    // A new enumeration needs a case above.
    expect(found).toEqual(['registerWebhook.failure_types[]'])
  })
})

describe('params as a whole', () => {
  it.each([[[]], [[owner, intent]]])('positional parameters are rejected: %j', async (params) => {
    await refused(gateway.call('createTask', params), 'params must be object')
  })

  it('unknown members of any name are dropped', async () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'svc_createTask',
      params: { ...validParams.createTask, other: 1, toString: 1 },
      id: 'x',
    }).replace('"other":1', '"other":1,"__proto__":{"timeout":7},"constructor":{}')
    await gateway.send(text)
    expect(Object.keys(received())).toEqual(['policy_client', 'intent'])
    expect(received().timeout).toBeUndefined()
  })

  it('members of the prototype do not count', async () => {
    await refused(
      gateway.call('createTask', JSON.parse('{"__proto__":{"intent":{}}}')),
      'policy_client is required',
    )
  })

  it('the last of duplicate members counts', async () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'svc_createTask',
      params: { ...validParams.createTask, timeout: 5 },
      id: 'x',
    })
    await gateway.send(text.replace('"timeout":5', '"timeout":5,"timeout":6'))
    expect(received().timeout).toBe(6)
  })

  it.each([undefined, null, {}, [], { other: 1 }])(
    'a method without parameters accepts %j',
    async (params) => {
      const { body } = await gateway.call('getPrivacyPublicKey', params)
      expect(body.result).toEqual({
        public_key: 'bb'.repeat(32),
        key_type: 'x25519',
        encryption_suite: 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305',
        envelope_forms: ['general', 'bound'],
      })
    },
  )

  it('does not include a value in the error', async () => {
    const { body } = await create({ wasm_args: 'SECRET' })
    expect(JSON.stringify(body)).not.toContain('SECRET')
  })
})

describe('simulateTask', () => {
  it('requires the data or the client', async () => {
    await refused(
      gateway.call('simulateTask', { intent }),
      'policy_task_data or policy_client is required',
    )
    await gateway.call('simulateTask', { intent, policy_client: owner })
    expect(received()).toEqual({ intent, policy_client: owner })
  })

  it('rejects bare hex as wasm_args, which the task methods accept', async () => {
    await refused(
      gateway.call('simulateTask', { intent, policy_client: owner, wasm_args: '7b7d' }),
      'wasm_args must be hex bytes with 0x prefix and an even digit count',
    )
  })

  it.each([{}, { attestation: null }])('accepts data without an attestation: %j', async (more) => {
    const entry = { wasmArgs: '0x', data: '0x', policyDataAddress: owner, expireBlock: 1 }
    const policy_task_data = { ...policyTaskData, policyData: [{ ...entry, ...more }] }
    await gateway.call('simulateTask', { intent, policy_task_data })
    expect(received().policy_task_data).toEqual({ ...policyTaskData, policyData: [entry] })
  })

  it('reports the path of an invalid member', async () => {
    const entry = {
      wasmArgs: '0x',
      data: '0x',
      attestation: '0x',
      policyDataAddress: owner,
      expireBlock: 1,
    }
    const policyData = [entry, { ...entry, expireBlock: 2 ** 32 }]
    await refused(
      gateway.call('simulateTask', { intent, policy_task_data: { ...policyTaskData, policyData } }),
      'policy_task_data.policyData[1].expireBlock must be <= 4294967295',
    )
  })
})

describe('intent_signature (decision E4)', () => {
  const named = Object.entries(methods).flatMap(([name, { params }]) =>
    'intent_signature' in params.properties ? [name as keyof typeof validParams] : [],
  )

  it('is a member of four methods', () => {
    expect(named.toSorted()).toEqual(['createTask', 'sendTask', 'simulatePolicy', 'simulateTask'])
  })

  it.each(named)('is accepted by %s with and without 0x', async (name) => {
    for (const sent of ['5a'.repeat(65), `0x${'5a'.repeat(65)}`]) {
      gateway.recorded.calls.length = 0
      await gateway.call(name, { ...validParams[name], intent_signature: sent })
      expect(received().intent_signature).toBe(`0x${'5a'.repeat(65)}`)
    }
    gateway.recorded.calls.length = 0
    for (const wrong of ['5', '0x5', '5g', 'zz', ' 5a'])
      await refused(
        gateway.call(name, { ...validParams[name], intent_signature: wrong }),
        `intent_signature ${looseData}`,
      )
  })
})

describe('simulatePolicy', () => {
  const simulate = (members: object) =>
    gateway.call('simulatePolicy', { ...validParams.simulatePolicy, ...members })

  it('does not modify policy_params: nulls, names, numbers of any size', async () => {
    const params =
      '{"limit":123456789012345678901234567890,"none":null,"__proto__":{"a":1},"deep":[{"x":null}]}'
    await gateway.send(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'svc_simulatePolicy',
        params: { ...validParams.simulatePolicy, policy_params: 'P' },
        id: 'x',
      }).replace('"P"', params),
    )
    const kept = received().policy_params as Record<string, unknown>
    expect(kept.limit).toBe(123456789012345678901234567890n)
    expect(kept.none).toBeNull()
    expect(Object.getOwnPropertyDescriptor(kept, '__proto__')?.value).toEqual({ a: 1 })
    expect(kept.deep).toEqual([{ x: null }])
  })

  it('accepts null as the wasm_args of a source', async () => {
    await simulate({ policy_data: [{ policy_data_address: owner, wasm_args: null }] })
    expect(received().policy_data).toEqual([{ policy_data_address: owner }])
  })

  it.each([
    [{ policy_data: undefined }, 'policy_data is required'],
    [{ policy_data: {} }, 'policy_data must be array'],
    [{ policy_data: [{}] }, 'policy_data[0].policy_data_address is required'],
    [
      { policy_data: [{ policy_data_address: owner, wasm_args: '7b7d' }] },
      `policy_data[0].wasm_args ${data}`,
    ],
    [{ policy: 7 }, 'policy must be string'],
    [{ policy: 'ä'.repeat(262_145) }, 'policy must not be larger than 524288 bytes'],
    [{ policy_params: [] }, 'policy_params must be object'],
    [{ entrypoint: '' }, 'entrypoint must NOT have fewer than 1 characters'],
  ])('is rejected with %j', async (members, details) => {
    await refused(simulate(members), details)
  })
})
