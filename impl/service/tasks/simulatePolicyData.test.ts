import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sealSecrets } from '../envelopes/secrets.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

beforeAll(async () => {
  stack = await startTestStack()
  description = stack.description
  client = stackClient(description)
})
afterEach(() => {
  stack.fixtureHost.reset()
  for (const operator of stack.service.operators) operator.start()
})
afterAll(() => stack.close())

const eth = encodeWasmArgs({ symbol: 'ETH' }, {})
const dataOf = (fixture: string) => description.clients[fixture]!.policyData[0]!
async function sealed(more: { chainId?: number; key?: string; apiKey?: string } = {}) {
  const envelope = await sealSecrets({
    secrets: {
      PRICE_FEED_URL: description.fixtureHostUrl,
      PRICE_API_KEY: more.apiKey ?? fixtureApiKey,
    },
    policyClient: description.accounts.recipient.address,
    chainId: more.chainId ?? description.chain.chainId,
    recipientPublicKey: more.key ?? stack.service.encryptionKeys.secretsPublicKey,
  })
  return Buffer.from(envelope).toString('base64')
}

describe('simulatePolicyData (section 4.6)', () => {
  const simulate = (params: object, key: 'rpc' | 'stranger' = 'rpc') =>
    client.call(
      'simulatePolicyData',
      {
        policy_data_address: dataOf('priced-transfer').address,
        chain_id: description.chain.chainId,
        wasm_args: eth,
        ...params,
      },
      key,
    )

  it('runs the oracle with the secrets of the request, for any caller', async () => {
    const { status, result } = await simulate({ secrets: await sealed() }, 'stranger')
    expect(status).toBe(200)
    expect(result).toEqual({
      success: true,
      policy_data: {
        specifier: expect.stringMatching(/^baf/),
        data: {
          price_feed: {
            symbol: 'ETH',
            price: 2000,
            updated_at: expect.any(Number),
            read_at: expect.any(Number),
          },
        },
        timestamp: expect.any(Number),
      },
      error: null,
    })
  })

  it('leaves missing secrets to the oracle', async () => {
    const { result } = await simulate({})
    expect(result).toMatchObject({
      success: true,
      policy_data: { data: { price_feed: { error: expect.any(String) } } },
    })
  })

  it('returns the output with every digit', async () => {
    const wasm_args = `0x${Buffer.from('{"n":12345678901234567890.10}').toString('hex')}`
    const response = await fetch(`${description.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${description.apiKeys.rpc}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: '1',
        method: 'svc_simulatePolicyData',
        params: {
          policy_data_address: dataOf('echoed-approval').address,
          chain_id: description.chain.chainId,
          wasm_args,
        },
      }),
    })
    expect(await response.text()).toContain('12345678901234567890.10')
  })

  it('serves its own chain only, and reports which that is', async () => {
    const { result } = await simulate({ chain_id: 5 })
    expect(result).toMatchObject({ success: false, policy_data: null })
    expect(result!.error).toBe('Contract read failed: chain 5 is not served, only 31337')
  })

  it.each([
    ['not base64', '***'],
    ['not an envelope', Buffer.from('{}').toString('base64')],
    ['not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64')],
  ])('rejects secrets that are %s', async (_, secrets) => {
    const { error } = await simulate({ secrets })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid request format: secrets is not base64/),
    })
  })

  it('reports secrets that cannot be decrypted', async () => {
    for (const more of [{ chainId: 5 }, { key: 'ab'.repeat(32) }]) {
      const { result } = await simulate({ secrets: await sealed(more) })
      expect(result!.error).toMatch(/^WASM execution failed: secrets cannot be opened/)
    }
  })

  it('reports an address without a contract, an oracle that traps, an incompatible version', async () => {
    const none = await simulate({ policy_data_address: description.accounts.recipient.address })
    expect(none.result!.error).toMatch(/^Contract read failed: /)
    const trap = await simulate({ policy_data_address: dataOf('trapping-oracle').address })
    expect(trap.result!.error).toMatch(/^WASM execution failed: /)
    const old = await simulate({ policy_data_address: dataOf('policy-data-of-version-9').address })
    expect(old.error).toMatchObject({ code: -32619 })
  })

  it('returns no secret, whatever the oracle does with it', async () => {
    const apiKey = 'a-key-that-nobody-may-see'
    const answer = await simulate({ secrets: await sealed({ apiKey }) })
    expect(JSON.stringify(answer)).not.toContain(apiKey)
    expect(answer.result).toMatchObject({ success: true })
  })

  it('reports in its result that there are no operators', async () => {
    for (const operator of stack.service.operators) operator.stop()
    expect(await simulate({})).toMatchObject({
      status: 200,
      result: { success: false, policy_data: null, error: 'No operators available' },
    })
  })
})

describe('simulatePolicyDataWithClient (section 4.7)', () => {
  const simulate = (fixture: string, key: 'rpc' | 'stranger' = 'rpc', more: object = {}) =>
    client.call(
      'simulatePolicyDataWithClient',
      {
        policy_data_address: dataOf(fixture).address,
        policy_client: description.clients[fixture]!.policyClient,
        wasm_args: eth,
        ...more,
      },
      key,
    )

  it('runs the oracle with the stored secrets of client and source', async () => {
    expect((await simulate('priced-transfer')).result).toMatchObject({
      success: true,
      policy_data: { data: { price_feed: { symbol: 'ETH', price: 2000 } } },
      error: null,
    })
  })

  it('reports that none are stored', async () => {
    const { policyClient, policyData } = description.clients['without-secrets']!
    const { result } = await simulate('without-secrets')
    expect(result!.success).toBe(false)
    expect(result!.error!.toLowerCase()).toBe(
      `no secrets found for policy_client ${policyClient} and policy_data ${policyData[0]!.address}; upload them with svc_storeencryptedsecrets or use svc_simulatepolicydata`.toLowerCase(),
    )
  })

  it('is for the owner only, even if no secrets are declared', async () => {
    for (const fixture of ['priced-transfer', 'trapping-oracle']) {
      const client = description.clients[fixture]!.policyClient.toLowerCase()
      expect((await simulate(fixture, 'stranger')).error).toEqual({
        code: -32002,
        message: `Authorization failed: policy client ${client} is owned by another user`,
      })
    }
    const ownerless = await simulate('ownerless')
    expect(ownerless.error!.message).toMatch(/^Authorization failed: policy client .* has no owner/)
    expect((await simulate('owned-by-stranger', 'stranger')).error).toBeUndefined()
  })

  it('reports an address that is not a client', async () => {
    const { result } = await simulate('priced-transfer', 'rpc', {
      policy_client: description.accounts.recipient.address,
    })
    expect(result).toMatchObject({ success: false, policy_data: null })
    expect(result!.error).toMatch(/^Contract read failed: /)
  })
})
