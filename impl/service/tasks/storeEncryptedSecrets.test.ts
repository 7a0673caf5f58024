import { devAccount } from 'polgate-chain/accounts.ts'
import { deployPolicyData } from 'polgate-chain/deploy.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import { devAccounts } from 'polgate-local/devKeys.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SealSecretsOptions, sealSecrets } from '../envelopes/secrets.ts'
import type { TaskChain } from './taskChain.ts'

let stack: LocalStack
let description: StackDescription
let rpc: ReturnType<typeof stackClient>
let twist: Partial<TaskChain> = {}
let owner: Transactor

beforeAll(async () => {
  stack = await startTestStack({
    parts: {
      chain: (chain) =>
        new Proxy(chain, { get: (target, name) => Reflect.get({ ...target, ...twist }, name) }),
    },
  })
  description = stack.description
  rpc = stackClient(description)
  const { rpcUrl } = description.chain
  owner = await createTransactor({ rpcUrl, account: devAccount(0) })
})
afterEach(() => {
  twist = {}
  for (const operator of stack.service.operators) operator.start()
})
afterAll(() => stack.close())

function priced() {
  const { policyClient, policyData } = description.clients['priced-transfer']!
  return { policy_client: policyClient, policy_data_address: policyData[0]!.address }
}
const good = () => ({
  PRICE_API_KEY: 'fixture-price-feed-key',
  PRICE_FEED_URL: description.fixtureHostUrl,
})
const seal = (secrets: object, options: Partial<SealSecretsOptions> = {}) =>
  sealSecrets({
    secrets: secrets as Record<string, string>,
    policyClient: priced().policy_client,
    chainId: description.chain.chainId,
    recipientPublicKey: stack.service.encryptionKeys.secretsPublicKey,
    ...options,
  })
type Key = keyof StackDescription['apiKeys']
const store = (params: object, key?: Key) =>
  rpc.call('storeEncryptedSecrets', { ...priced(), ...params }, key)
function kept() {
  const { policy_client: policyClient, policy_data_address: policyDataAddress } = priced()
  return stack.service.store.secrets.get({ policyClient, policyDataAddress })
}

describe('storeEncryptedSecrets (section 4.5)', () => {
  let before: string | undefined
  beforeEach(async () => {
    before = await kept()
  })

  it('stores the envelope unmodified, and returns the schema', async () => {
    const sealed = await seal(good())
    const envelope = ` ${sealed.replace('{', '{ "note": "é",\n')}`
    const { status, result } = await store({ envelope })
    const uses = policyFixture('priced-transfer').oracles
    expect(status).toBe(200)
    expect(result).toEqual({ success: true, schema: uses[0]!.secretsSchema, error: null })
    expect(await kept()).toBe(envelope)
  })

  it('replaces the secrets for the next task', async () => {
    const create = async () => {
      await stack.mine(1)
      return rpc.call('simulateTask', {
        policy_client: priced().policy_client,
        intent: plainIntent(description),
        wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
      })
    }
    await store({ envelope: await seal({ ...good(), PRICE_API_KEY: 'a-key-the-feed-refuses' }) })
    expect((await create()).result).toMatchObject({ result: { allow: false } })
    await store({ envelope: await seal(good()) })
    expect((await create()).result).toMatchObject({ result: { allow: true } })
  })

  it.each([
    [
      'a missing member',
      { PRICE_FEED_URL: 'http://127.0.0.1' },
      "required property 'PRICE_API_KEY'",
    ],
    ['an empty one', { PRICE_API_KEY: '' }, 'PRICE_API_KEY must NOT have fewer than'],
    ['one too many', { 'sk-SECRET-name': 'x' }, 'secrets must NOT have additional properties'],
    ['a number', { PRICE_API_KEY: 7_777_777 }, 'secrets are not all strings'],
  ])('rejects secrets with %s, and keeps the earlier ones', async (_, members, details) => {
    const { status, result } = await store({ envelope: await seal({ ...members }) })
    expect(status).toBe(200)
    expect(result).toMatchObject({ success: false, schema: null })
    expect(result!.error).toMatch(/^Secrets upload validation failed: /)
    expect(result!.error).toContain(details)
    expect(result!.error).not.toMatch(/SECRET-name|7777777/)
    expect(await kept()).toBe(before)
  })

  it.each([
    [
      'another key',
      { recipientPublicKey: '09'.padEnd(64, '0') },
      'envelope was sealed to another key',
    ],
    ['another chain', { chainId: 1 }, 'envelope.chain_id is 1, this service is on 31337'],
    ['another client', { policyClient: `0x${'12'.repeat(20)}` }, 'envelope.policy_client is not'],
  ] as const)('rejects an envelope for %s', async (_, options, details) => {
    const { result } = await store({ envelope: await seal(good(), options) })
    expect(result).toMatchObject({ success: false })
    expect(result!.error).toContain(`Secrets upload validation failed: ${details}`)
    expect(await kept()).toBe(before)
  })

  it('rejects an envelope whose client was changed after sealing', async () => {
    const sealed = await seal(good(), { policyClient: `0x${'12'.repeat(20)}` })
    const envelope = JSON.stringify({
      ...JSON.parse(sealed),
      policy_client: priced().policy_client,
    })
    const { result } = await store({ envelope })
    expect(result!.error).toBe(
      'Secrets upload validation failed: envelope does not open with this key, policy client and chain',
    )
  })

  it.each([
    ['[]', 'envelope is not an object'],
    ['{"enc":', 'envelope is not JSON'],
    ['{"note":"\ud800"}', 'envelope is not well-formed text'],
    ['{}', 'envelope.enc is not 32 bytes of hex without 0x'],
  ])('responds with -32602 to %j for any caller', async (envelope, details) => {
    for (const key of ['write', 'stranger'] as const) {
      expect(await store({ envelope }, key)).toMatchObject({
        status: 200,
        error: { code: -32602, message: `Invalid request format: ${details}` },
      })
    }
  })

  it('is for keys with RpcWrite, of the owner', async () => {
    const envelope = await seal(good())
    expect(await store({ envelope }, 'read')).toMatchObject({
      status: 403,
      error: { message: 'RpcWrite permission required' },
    })
    const address = priced().policy_client.toLowerCase()
    expect(await store({ envelope }, 'stranger')).toMatchObject({
      status: 200,
      error: {
        code: -32002,
        message: `Authorization failed: policy client ${address} is owned by another user`,
      },
    })
    twist = { owner: async () => ({ owner: `0x${'0'.repeat(40)}`, block: 1 }) }
    expect((await store({ envelope })).error).toMatchObject({
      code: -32002,
      message: expect.stringContaining(`policy client ${address} has no owner`),
    })
    expect(await kept()).toBe(before)
  })

  it('follows the ownership on chain from one request to the next', async () => {
    const envelope = await seal(good())
    const asStranger = () => store({ envelope }, 'stranger')
    expect((await asStranger()).error?.code).toBe(-32002)
    await transfer(devAccounts.stranger.address, 0)
    expect((await asStranger()).result).toMatchObject({ success: true })
    expect((await store({ envelope })).error?.code).toBe(-32002)
    await transfer(devAccounts.owner.address, 4)
    expect((await store({ envelope })).result).toMatchObject({ success: true })
  })

  it('reports addresses without a contract', async () => {
    const nothing = `0x${'99'.repeat(20)}` as const
    const client = await store({ policy_client: nothing, envelope: await seal(good()) })
    expect(client.result).toMatchObject({ success: false })
    expect(client.result!.error).toMatch(/^Contract read failed: /)
    const source = await store({ policy_data_address: nothing, envelope: await seal(good()) })
    expect(source.result!.error).toMatch(/^Contract read failed: /)
  })

  it('stores nothing for a PolicyData that declares no secrets', async () => {
    const policyClient = priced().policy_client
    const address = await policyDataWith({ secretsSchemaCid: '' })
    const params = { policy_data_address: address, envelope: await seal(good()) }
    expect((await store(params)).result).toEqual({
      success: false,
      schema: null,
      error: `Secrets upload validation failed: policy data ${address.toLowerCase()} declares no secrets`,
    })
    const scope = { policyClient, policyDataAddress: address }
    expect(await stack.service.store.secrets.get(scope)).toBeUndefined()
  })

  it('reports an unavailable schema', async () => {
    const cid = 'bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    const address = await policyDataWith({ secretsSchemaCid: cid })
    const { result } = await store({ policy_data_address: address, envelope: await seal(good()) })
    expect(result).toMatchObject({ success: false })
    expect(result!.error).toContain('Secrets upload validation failed: the secrets schema: ')
  })

  it('reports a schema with an invalid content id', async () => {
    const address = await policyDataWith({ secretsSchemaCid: '../../etc/passwd' })
    const { result } = await store({ policy_data_address: address, envelope: await seal(good()) })
    expect(result!.error).toBe(
      'Secrets upload validation failed: the secrets schema: ../../etc/passwd is not a content id',
    )
  })

  it('rejects an envelope sealed to the privacy key, which would fail in every evaluation', async () => {
    const { privacyPublicKey } = stack.service.encryptionKeys
    const { result } = await store({
      envelope: await seal(good(), { recipientPublicKey: privacyPublicKey }),
    })
    expect(result!.error).toBe(
      'Secrets upload validation failed: envelope was sealed to another key',
    )
  })

  it('rejects a data source of another version with -32619', async () => {
    const address = await policyDataWith({ version: '9.0.0' })
    const params = { policy_data_address: address, envelope: await seal(good()) }
    expect((await store(params)).error?.code).toBe(-32619)
  })

  it('is served by any remaining operator, and reports in its result if there is none', async () => {
    const envelope = await seal(good())
    for (const at of [0, 1, 3]) stack.service.operators[at]!.stop()
    expect((await store({ envelope })).result).toMatchObject({ success: true })
    stack.service.operators[2]!.stop()
    expect(await store({ envelope })).toMatchObject({
      status: 200,
      result: { success: false, schema: null, error: 'No operators available' },
    })
  })
})

async function transfer(to: `0x${string}`, account: number): Promise<void> {
  const { rpcUrl } = description.chain
  const from = await createTransactor({ rpcUrl, account: devAccount(account) })
  await from.write({
    address: priced().policy_client,
    abi: parseAbi(['function transferOwnership(address newOwner)']),
    functionName: 'transferOwnership',
    args: [to],
  })
}

const policyDataWith = (members: { secretsSchemaCid?: string; version?: string }) =>
  deployPolicyData(owner, {
    wasmCid: description.clients['priced-transfer']!.policyData[0]!.wasmCid,
    secretsSchemaCid: '',
    expireAfter: 100,
    attesters: [],
    ...members,
  })
