import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

beforeAll(async () => {
  stack = await startTestStack()
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  for (const operator of stack.service.operators) operator.start()
})
afterAll(() => stack.close())

const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
function stored(fixture: string) {
  const { policyId, policyAddress } = description.clients[fixture]!
  return { policyId, policyAddress, policy: '0x', policyData: [] as unknown[] }
}

describe('simulateTask (section 4.4)', () => {
  const simulate = (params: object) =>
    client.call('simulateTask', { intent: plainIntent(description), ...params })

  const priceEntry = (more: object = {}) => ({
    wasmArgs: '0x',
    data: toHex('{"price_feed":{"symbol":"ETH","price":2000,"updated_at":1}}'),
    policyDataAddress: description.clients['priced-transfer']!.policyData[0]!.address,
    expireBlock: 0,
    ...more,
  })
  const priced = (entry: object) => ({
    policy_task_data: { ...stored('priced-transfer'), policyData: [entry] },
  })

  it('evaluates the stored policy on supplied data', async () => {
    const { result } = await simulate(priced(priceEntry()))
    const policy_data_address = priceEntry().policyDataAddress
    expect(result).toMatchObject({
      success: true,
      result: { allow: false, reason: 'price is stale' },
      details: { policy_data: [{ policy_data_address, attestation: 'absent' }] },
    })
    expect(stack.fixtureHost.requests()).toEqual([])
  })

  it.each([
    ['expired', { expireBlock: 1 }, 'expired at block 1; the chain is at block '],
    [
      'with an attestation by an unlisted account',
      { attestation: `0x${'11'.repeat(65)}` },
      'is not attested: ',
    ],
  ])('rejects data that is %s', async (_, more, what) => {
    const { result } = await simulate(priced(priceEntry(more)))
    expect(result).toMatchObject({
      success: false,
      result: null,
      error: expect.stringContaining(
        `Policy data rejected: policy_task_data.policyData[0] ${what}`,
      ),
    })
  })

  it('rejects a client of another policy with the data, and accepts one of the same policy', async () => {
    const clientOf = (name: string) => ({ policy_client: description.clients[name]!.policyClient })
    const both = await simulate({ ...priced(priceEntry()), ...clientOf('priced-transfer') })
    expect(both.result).toMatchObject({ success: true })
    const { error } = await simulate({ ...priced(priceEntry()), ...clientOf('allow-list') })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'policy_task_data.policyAddress is not that of policy_client',
      ),
    })
  })

  it('includes an oracle error in the reason', async () => {
    const data = toHex('{"price_feed":{"error":"HTTP 503 of the feed"}}')
    const { result } = await simulate(priced(priceEntry({ data })))
    expect(result).toMatchObject({
      success: true,
      result: { allow: false, reason: expect.stringContaining('HTTP 503 of the feed') },
    })
  })

  it('evaluates a supplied policy with the parameters of the stored one', async () => {
    const source =
      'package policy\n\ndefault allow := "CAP"\n\ndeny contains "b"\n\ndeny contains "a"\n'
    const policy_task_data = { ...stored('allow-list'), policy: toHex(source) }
    expect((await simulate({ policy_task_data })).result).toMatchObject({
      success: true,
      result: { allow: 'CAP', reason: 'a; b' },
    })
  })

  it.each([
    ['unknown', () => `0x${'77'.repeat(32)}`],
    ['that of another policy', () => description.clients['priced-transfer']!.policyId],
  ])('refuses a policy id that is %s, also with a supplied policy', async (_, policyId) => {
    const message = expect.stringMatching(/policy_task_data\.policyId is .* has no configuration/)
    for (const policy of ['0x', toHex('package policy\n\nallow := true')]) {
      const policy_task_data = { ...stored('allow-list'), policyId: policyId(), policy }
      expect((await simulate({ policy_task_data })).error).toMatchObject({ code: -32602, message })
    }
  })

  it('takes the parameters, data sources and signing domain of a client', async () => {
    const { policyClient } = description.clients['priced-transfer']!
    const policy = toHex('package policy\n\nallow := [data.params, input.intent_digest]')
    const given = (more: object) => ({
      policy_client: policyClient,
      policy_task_data: { ...stored('priced-transfer'), policy, policyData: [priceEntry(more)] },
    })
    const { result } = await simulate(given({}))
    const params = JSON.parse(policyFixture('priced-transfer').paramsText)
    expect(result).toMatchObject({
      result: { allow: [params, expect.stringMatching(/^0x[0-9a-f]{64}$/)] },
      details: { warnings: [] },
    })
    const other = description.clients['multi-oracle']!.policyData.find(
      ({ address }) => address !== priceEntry().policyDataAddress,
    )!
    expect((await simulate(given({ policyDataAddress: other.address }))).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('policyData[0].policyDataAddress'),
    })
  })

  it('accepts a policy client alone, and runs its oracles (decision T15)', async () => {
    const { result } = await simulate({
      policy_client: description.clients['priced-transfer']!.policyClient,
      wasm_args: eth,
    })
    expect(result).toMatchObject({ success: true, result: { allow: true, reason: '' } })
  })

  it('requires one of the two', async () => {
    expect((await simulate({})).error).toMatchObject({ code: -32602 })
  })

  it('is served by any remaining operator, and without one fails with ServiceUnavailable', async () => {
    for (const at of [0, 1, 3]) stack.service.operators[at]!.stop()
    const policy_task_data = stored('allow-list')
    for (let times = 0; times < 4; times++) {
      expect((await simulate({ policy_task_data })).result).toMatchObject({ success: true })
    }
    stack.service.operators[2]!.stop()
    expect(await simulate({ policy_task_data })).toMatchObject({
      result: null,
      error: { ServiceUnavailable: 'No operators available' },
      id: null,
    })
  })

  it.each([
    ['a policy that does not parse', 'package policy\n\nallow if {', /^Rego evaluation failed: /],
    [
      'a missing rule',
      'package policy\n\nx := 1\n',
      /^Rego evaluation failed: undefined rule 'policy.allow'$/,
    ],
    [
      'a policy that exceeds its time limit',
      'package policy\n\nallow if {\n\tsome a in numbers.range(1, 100000)\n\tsome b in numbers.range(1, 100000)\n\ta + b < 0\n}\n',
      /^Rego evaluation failed: /,
    ],
  ])('reports %s', async (_, source, error) => {
    const policy_task_data = { ...stored('allow-list'), policy: toHex(source) }
    const { status, result } = await simulate({ policy_task_data })
    expect(status).toBe(200)
    expect(result).toMatchObject({
      success: false,
      result: null,
      error: expect.stringMatching(error),
    })
  })

  it('reports data that is not a JSON object, and a policy that does not exist', async () => {
    const entry = {
      wasmArgs: '0x',
      data: toHex('[1]'),
      policyDataAddress: description.accounts.owner.address,
      expireBlock: 0,
    }
    const policy_task_data = { ...stored('allow-list'), policyData: [entry] }
    expect((await simulate({ policy_task_data })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('policy_task_data.policyData[0].data'),
    })
    const nowhere = {
      ...stored('allow-list'),
      policyAddress: description.accounts.recipient.address,
    }
    expect((await simulate({ policy_task_data: nowhere })).result).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Contract read failed: /),
    })
  })
})

describe('simulatePolicy (section 4.8)', () => {
  const simulate = (params: object, key: 'rpc' | 'stranger' | 'read' = 'rpc') =>
    client.call(
      'simulatePolicy',
      {
        policy_client: description.clients['priced-transfer']!.policyClient,
        policy: policyFixture('priced-transfer').source,
        intent: plainIntent(description, 5n * 10n ** 17n),
        policy_data: [dataOf('priced-transfer')],
        policy_params: { symbol: 'ETH', max_usd: 1000 },
        ...params,
      },
      key,
    )
  const dataOf = (fixture: string) => ({
    policy_data_address: description.clients[fixture]!.policyData[0]!.address,
    wasm_args: eth,
  })

  it('runs both stages with the stored secrets', async () => {
    const { result } = await simulate({})
    expect(result).toMatchObject({
      success: true,
      error: null,
      evaluation_result: {
        policy: policyFixture('priced-transfer').source,
        parsed_intent: {
          from: description.accounts.sender.address.toLowerCase(),
          value: 5e17,
          chain_id: 31337,
          function: null,
        },
        policy_params_and_data: {
          params: { symbol: 'ETH', max_usd: 1000 },
          wasm: { price_feed: { symbol: 'ETH', price: 2000 } },
        },
        entrypoint: 'policy.allow',
        result: true,
        expire_after: 0,
      },
    })
  })

  it('reports which secrets are missing', async () => {
    const { result } = await simulate({
      policy_client: description.clients['without-secrets']!.policyClient,
      policy_data: [dataOf('without-secrets')],
    })
    expect(result).toMatchObject({
      success: false,
      error: 'Missing secrets for 1 PolicyData contract(s)',
      error_details: {
        missing_secrets: [
          {
            policy_data_address: dataOf('without-secrets').policy_data_address,
            has_secrets_schema: true,
          },
        ],
        suggested_actions: expect.arrayContaining([expect.any(String)]),
      },
    })
  })

  it('requires ownership only if secrets are used (section 5.2)', async () => {
    const { policyClient } = description.clients['priced-transfer']!
    expect((await simulate({}, 'stranger')).error).toEqual({
      code: -32002,
      message: `Authorization failed: policy client ${policyClient.toLowerCase()} is owned by another user`,
    })
    const free = { policy_data: [], policy: 'package policy\n\nallow := true\n' }
    expect((await simulate(free, 'stranger')).result).toMatchObject({ success: true })
  })

  it('rejects a client without an owner', async () => {
    const { policyClient } = description.clients.ownerless!
    const { error } = await simulate({
      policy_client: policyClient,
      policy_data: [dataOf('ownerless')],
    })
    expect(error).toMatchObject({ code: -32002 })
    expect(error!.message).toContain(`policy client ${policyClient.toLowerCase()} has no owner`)
  })

  it('recognizes a new owner on the next request', async () => {
    const { policyClient } = description.clients['owned-by-stranger']!
    const request = { policy_client: policyClient, policy_data: [dataOf('owned-by-stranger')] }
    expect((await simulate(request)).error).toMatchObject({ code: -32002 })
    expect((await simulate(request, 'stranger')).result).toMatchObject({ success: true })
  })

  it('preserves every digit of numbers', async () => {
    const value = 2n ** 256n - 1n
    const response = await fetch(`${description.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${description.apiKeys.rpc}` },
      body: `{"jsonrpc":"2.0","id":"1","method":"svc_simulatePolicy","params":${JSON.stringify({
        policy_client: description.clients['allow-list']!.policyClient,
        policy: 'package policy\n\nallow := input.value + data.params.one\n',
        intent: plainIntent(description, value),
        policy_data: [],
        policy_params: { one: 'ONE' },
      }).replace('"ONE"', '-1000000000000000000001')}}`,
    })
    const text = await response.text()
    expect(text).toContain(`"value":${value}`)
    expect(text).toContain(`"result":${value - 1000000000000000000001n}`)
    expect(text).toContain('"one":-1000000000000000000001')
  })

  it.each([
    [
      'an address without an oracle',
      { policy_data: [{ policy_data_address: `0x${'12'.repeat(20)}` }] },
      /^Contract read failed: /,
    ],
    ['a policy that does not parse', { policy: 'allow' }, /^Rego evaluation failed: /],
    [
      'a missing entrypoint',
      { entrypoint: 'policy.nothing' },
      /^Rego evaluation failed: undefined rule/,
    ],
    ['a signature of 64 bytes', { intent_signature: `0x${'11'.repeat(64)}` }, /exactly 65 bytes/],
  ])('reports %s', async (_, params, error) => {
    const { status, result } = await simulate(params)
    expect(status).toBe(200)
    expect(result).toMatchObject({ success: false, error: expect.stringMatching(error) })
  })

  it('reports in its result that there are no operators', async () => {
    for (const operator of stack.service.operators) operator.stop()
    expect(await simulate({})).toMatchObject({
      status: 200,
      result: { success: false, evaluation_result: null, error: 'No operators available' },
    })
  })
})
