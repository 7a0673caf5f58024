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

const refused = async (answer: Promise<{ status: number; body: unknown }>, details: string) => {
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
  ])('intent.%s is refused as %j', async (member, value, rule) => {
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
  ])('intent.%s is taken as %j and comes through as it was sent', async (member, value) => {
    await withIntent({ [member]: value })
    expect(received().intent).toEqual({ ...intent, [member]: value })
  })

  it('takes calldata as long as the body may be', async () => {
    await withIntent({ data: `0x${'00'.repeat(1_000_000)}` })
    expect(gateway.recorded.calls).toHaveLength(1)
  })
})

describe('optional members', () => {
  const optional = {
    intent_signature: '0x',
    quorum_number: '0x00',
    quorum_threshold_percentage: 67,
    wasm_args: '0x7b7d',
    timeout: 1,
    proof_cid: 'bafy',
    include_validate_calldata: true,
  }

  it('come through as they were sent', async () => {
    await create(optional)
    expect(received()).toEqual({ ...validParams.createTask, ...optional })
  })

  it.each(Object.keys(optional))('null is the same as absent: %s', async (member) => {
    await create({ ...optional, [member]: null })
    expect(received()).not.toHaveProperty(member)
    expect(received()).toHaveProperty('intent')
  })

  it.each(['intent_signature', 'quorum_number', 'wasm_args'])(
    '%s is taken as bare hex and completed',
    async (member) => {
      await create({ [member]: '00ff' })
      expect(received()[member]).toBe('0x00ff')
      gateway.recorded.calls.length = 0
      await create({ [member]: '' })
      expect(received()[member]).toBe('0x')
    },
  )

  it.each([
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
    ['timeout', '30', 'must be number'],
    ['include_validate_calldata', 'true', 'must be boolean'],
    ['proof_cid', 7, 'must be string'],
  ])('%s is refused as %j', async (member, value, rule) => {
    await refused(create({ [member]: value }), `${member} ${rule}`)
  })
})

describe('the whole', () => {
  it.each([[[]], [[owner, intent]]])('positional parameters are refused: %j', async (params) => {
    await refused(gateway.call('createTask', params), 'params must be object')
  })

  it('unknown members are left out, whatever their name', async () => {
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

  it('members of the prototype do not count as sent', async () => {
    await refused(
      gateway.call('createTask', JSON.parse('{"__proto__":{"intent":{}}}')),
      'policy_client is required',
    )
  })

  it('of two members with one name the last counts', async () => {
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
    'a method without parameters takes %j',
    async (params) => {
      const { body } = await gateway.call('getPrivacyPublicKey', params)
      expect(body.result).toEqual({
        public_key: 'bb'.repeat(32),
        key_type: 'x25519',
        encryption_suite: 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305',
      })
    },
  )

  it('does not repeat a value in the error', async () => {
    const { body } = await create({ wasm_args: 'SECRET' })
    expect(JSON.stringify(body)).not.toContain('SECRET')
  })
})

describe('simulateTask', () => {
  it('needs the data or the client', async () => {
    await refused(
      gateway.call('simulateTask', { intent }),
      'policy_task_data is required, or policy_client in its place',
    )
    await gateway.call('simulateTask', { intent, policy_client: owner })
    expect(received()).toEqual({ intent, policy_client: owner })
  })

  it('takes no bare hex, which the methods that make tasks do', async () => {
    for (const member of ['intent_signature', 'wasm_args'])
      await refused(
        gateway.call('simulateTask', { intent, policy_client: owner, [member]: '7b7d' }),
        `${member} must be hex bytes with 0x prefix and an even digit count`,
      )
  })

  it('names the place of a wrong member', async () => {
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

describe('simulatePolicy', () => {
  const simulate = (members: object) =>
    gateway.call('simulatePolicy', { ...validParams.simulatePolicy, ...members })

  it('keeps policy_params as they are: nulls, names, numbers of any size', async () => {
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

  it('takes null for the wasm_args of a source', async () => {
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
    [{ intent_signature: '00' }, `intent_signature ${data}`],
    [{ entrypoint: '' }, 'entrypoint must NOT have fewer than 1 characters'],
  ])('is refused with %j', async (members, details) => {
    await refused(simulate(members), details)
  })
})
