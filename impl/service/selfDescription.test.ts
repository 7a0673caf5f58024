import { Ajv, type ValidateFunction } from 'ajv'
import { chainId, domain, startSealedDataStack } from 'polgate-local/testing/sealedDataStack.ts'
import { type Answer, plainIntent } from 'polgate-local/testing/stackClient.ts'
import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEnvelope } from './envelopes/envelope.ts'
import { sealSecrets } from './envelopes/secrets.ts'

/**
 * The description from `rpc.discover`, checked against the responses of a running service (decision
 * E11).
 */

type Described = {
  readonly name: string
  readonly result: { readonly schema: object }
  readonly errors: readonly { readonly code: number }[]
}

let stack: Awaited<ReturnType<typeof startSealedDataStack>>
const results = new Map<string, ValidateFunction>()
const codes = new Map<string, readonly number[]>()
const answered = new Set<MethodName>()

/** The same schema, with unknown members rejected. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [name, closed(each)]),
  )
  const named = Object.keys((copy.properties as object | undefined) ?? {})
  return named.length === 0 ? copy : { ...copy, additionalProperties: false }
}

beforeAll(async () => {
  stack = await startSealedDataStack()
  const response = await fetch(`${stack.description.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.description.apiKeys.read}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'rpc.discover' }),
  })
  const { result } = (await response.json()) as {
    result: { methods: readonly Described[]; components: object }
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  const components = closed(result.components)
  for (const { name, result: described, errors } of result.methods) {
    const method = name.slice(stack.description.brand.methodPrefix.length)
    results.set(method, ajv.compile({ ...(closed(described.schema) as object), components }))
    codes.set(
      method,
      errors.map(({ code }) => code),
    )
  }
})
afterAll(() => stack?.close())

let values = 5_000
function intent() {
  values += 1
  return plainIntent(stack.description, values)
}
const clientOf = (name: string) => stack.description.clients[name]!
function priced() {
  const { policyClient, policyData } = clientOf('priced-transfer')
  return { policy_client: policyClient, policy_data_address: policyData[0]!.address }
}

/** Sends a call and validates the response against its description. */
async function call<M extends MethodName>(method: M, params: unknown): Promise<Answer<M>> {
  const answer = await stack.client.call(method, params)
  const validate = results.get(method)!
  if (answer.error === undefined) {
    validate(answer.result)
    expect({ method, problems: validate.errors ?? [] }).toEqual({ method, problems: [] })
    answered.add(method)
  } else expect(codes.get(method)).toContain(answer.error.code)
  return answer
}

describe('every response matches its description in rpc.discover', () => {
  it('of tasks, in every outcome', async () => {
    for (const [name, status] of [
      ['allow-list', 'success'],
      ['multi-oracle', 'success'],
      ['trapping-oracle', 'failed'],
      ['forbidden-import', 'failed'],
    ] as const) {
      const params = { policy_client: clientOf(name).policyClient, intent: intent() }
      const { result } = await call('createTask', { ...params, include_validate_calldata: true })
      expect(result).toMatchObject({ status })
    }
    const policy_client = clientOf('allow-list').policyClient
    const late = await call('createTask', {
      policy_client: clientOf('looping-oracle').policyClient,
      intent: intent(),
      timeout: 0.05,
    })
    expect(late.result).toMatchObject({ status: 'timeout', error: 'Task timeout' })
    const unsigned = { policy_client, intent: intent(), intent_signature: '0x' }
    expect((await call('createTask', unsigned)).result).toMatchObject({ status: 'failed' })
    expect((await call('sendTask', unsigned)).error).toMatchObject({ code: -32615 })
    const sent = { policy_client: clientOf('looping-oracle').policyClient, intent: intent() }
    expect((await call('sendTask', sent)).result).toBeDefined()
    expect((await call('sendTask', sent)).error).toMatchObject({ code: -32616 })
    expect((await call('createTask', sent)).result).toMatchObject({ status: 'failed' })
  })

  it('of simulations', async () => {
    const { policy_client, policy_data_address } = priced()
    for (const name of ['cap', 'signed-intent', 'trapping-oracle'])
      await call('simulateTask', { policy_client: clientOf(name).policyClient, intent: intent() })
    await call('simulateTask', { policy_client: `0x${'09'.repeat(20)}`, intent: intent() })
    for (const client of [policy_client, clientOf('without-secrets').policyClient]) {
      const simulated = { policy_client: client, intent: intent(), policy: 'package policy' }
      const policy_data = [{ policy_data_address }]
      await call('simulatePolicy', { ...simulated, policy_data })
      await call('simulatePolicy', {
        ...simulated,
        policy: 'package policy\nallow := {"text": [1, null]}',
        policy_data,
      })
      await call('simulatePolicyDataWithClient', { policy_client: client, policy_data_address })
    }
    await call('simulatePolicyData', { policy_data_address, chain_id: chainId })
    await call('simulatePolicyData', { policy_data_address, chain_id: chainId + 1 })
  })

  it('of secrets, stored and rejected', async () => {
    const { policy_client, policy_data_address } = priced()
    const outcomes: unknown[] = []
    for (const secrets of [
      { PRICE_API_KEY: 'nobody-knows', PRICE_FEED_URL: stack.description.fixtureHostUrl },
      { PRICE_API_KEY: 'nobody-knows' },
    ]) {
      const { result } = await call('storeEncryptedSecrets', {
        policy_client,
        policy_data_address,
        envelope: await sealSecrets({
          secrets,
          policyClient: policy_client,
          chainId,
          recipientPublicKey: (await call('getSecretsPublicKey', {})).result!.public_key,
        }),
      })
      outcomes.push(result?.success)
    }
    expect(outcomes).toEqual([true, false])
  })

  it('of sealed data', async () => {
    const identity = await call('uploadIdentityEncrypted', await stack.identityParams())
    const { data_ref_id } = identity.result!
    expect((await call('getIdentityEncrypted', { data_ref_id })).result).toBeDefined()
    expect((await call('getConfidentialData', { data_ref_id })).error).toBeDefined()
    const { provider, stranger } = stack.description.accounts
    const recipientPublicKey = (await call('getPrivacyPublicKey', {})).result!.public_key
    const outcomes: unknown[] = []
    for (const { address } of [provider!, stranger!]) {
      const sealing = { policyClient: address, chainId, recipientPublicKey }
      const envelope = await sealEnvelope({ ...sealing, plaintext: Buffer.from('{}') })
      const params = { provider: address, domain, envelope, chain_id: chainId }
      const { result } = await call('uploadConfidentialData', params)
      outcomes.push(result?.success)
      if (result?.data_ref_id)
        await call('getConfidentialData', { data_ref_id: result.data_ref_id })
    }
    expect(outcomes).toEqual([true, false])
  })

  it('of webhooks', async () => {
    await call('registerWebhook', { url: 'https://hooks.example/' })
    await call('registerWebhook', { url: 'https://10.0.0.1/' })
    await call('unregisterWebhook', {})
    await call('unregisterWebhook', {})
  })

  it('of contracts of another version', async () => {
    for (const [name, code] of [
      ['policy-of-version-9', -32618],
      ['policy-data-of-version-9', -32619],
    ] as const) {
      const params = { policy_client: clientOf(name).policyClient, intent: intent() }
      expect((await call('createTask', params)).error).toMatchObject({ code })
      expect((await call('simulateTask', params)).error).toMatchObject({ code })
    }
  })

  it('of a client with another owner', async () => {
    const { policyClient: policy_client, policyData } = clientOf('owned-by-stranger')
    const policy_data_address = policyData[0]!.address
    const code = { code: -32002 }
    const pair = { policy_client, policy_data_address }
    expect((await call('simulatePolicyDataWithClient', pair)).error).toMatchObject(code)
    const simulated = { policy_client, policy: 'package policy', intent: intent() }
    const policy_data = [{ policy_data_address }]
    expect((await call('simulatePolicy', { ...simulated, policy_data })).error).toMatchObject(code)
  })

  it('and every method was covered', () => {
    expect([...answered].sort()).toEqual(Object.keys(methods).sort())
  })
})
