import { createTestClient, type Hex, http, keccak256, parseEventLogs, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../../chain/accounts.ts'
import { identityRegistryAbi } from '../../chain/artifacts/abis.ts'
import { registerProvider, removeProvider } from '../../chain/confidentialDataRegistry.ts'
import {
  encryptedIdentityData,
  identityDomainOf,
  identityRegistration,
  readBoundIdentity,
  registerIdentityData,
} from '../../chain/identityRegistry.ts'
import { createTransactor, type Transactor } from '../../chain/transactor.ts'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { type LocalStack, startLocalStack } from '../local/localStack.ts'
import { stackClient } from '../local/testing/stackClient.ts'
import type { UploadIdentityEncryptedResult } from '../protocol/methods/uploadIdentityEncrypted.ts'
import type { Address } from '../protocol/scalars.ts'
import type { StackDescription } from '../protocol/stackDescription.ts'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
let identityRegistry: Address
let confidentialDataRegistry: Address

beforeAll(async () => {
  stack = await startLocalStack()
  description = stack.description
  client = stackClient(description)
  identityRegistry = description.chain.identityRegistry!
  confidentialDataRegistry = description.chain.confidentialDataRegistry!
})
afterAll(() => stack.close())

const owner = devAccount(1)
const domain: Hex = `0x${'Ab'.repeat(32)}`
const otherDomain: Hex = `0x${'cd'.repeat(32)}`
const chainId = 31_337

/** Another one each time, as every sealing is. */
const seal = (policyClient: Address) =>
  sealEnvelope({
    plaintext: Buffer.from('{"name":"nobody"}'),
    policyClient,
    chainId,
    recipientPublicKey: stack.service.encryptionKeys.privacyPublicKey,
  })

const sign = (data: string, account = owner, registry = identityRegistry) =>
  account.signTypedData({
    domain: identityDomainOf(chainId, registry),
    ...encryptedIdentityData,
    message: { data },
  })

const identityParams = async (envelope?: string) => {
  const sent = envelope ?? (await seal(owner.address))
  return {
    identity_owner: owner.address as Address,
    identity_owner_sig: await sign(sent),
    envelope: sent,
    identity_domain: domain,
    chain_id: chainId,
  }
}

const uploadIdentity = (params: unknown, key: 'rpc' | 'read' | 'stranger' = 'rpc') =>
  client.call('uploadIdentityEncrypted', params, key)

/** An upload that went well, and its parameters. */
const uploaded = async () => {
  const params = await identityParams()
  const { result, error } = await uploadIdentity(params)
  if (result === undefined) throw new Error(error?.message)
  return { params, result }
}

const transactorOf = (account = owner) =>
  createTransactor({ rpcUrl: description.chain.rpcUrl, account })

const register = (
  transactor: Transactor,
  { data_ref_id, gateway_signature, deadline }: UploadIdentityEncryptedResult,
  change: Partial<Parameters<typeof registerIdentityData>[2]> = {},
) =>
  registerIdentityData(transactor, identityRegistry, {
    identityOwner: owner.address,
    identityDomain: domain,
    dataRefId: data_ref_id,
    gatewaySignature: gateway_signature,
    deadline: BigInt(deadline),
    ...change,
  })

describe('identity data', () => {
  it('is stored under the hash of its bytes and given back byte for byte', async () => {
    const { params, result } = await uploaded()
    expect(result.data_ref_id).toBe(keccak256(toBytes(params.envelope)))
    const upper = `0x${result.data_ref_id.slice(2).toUpperCase()}`
    const { result: back } = await client.call(
      'getIdentityEncrypted',
      { data_ref_id: upper },
      'read',
    )
    expect(back).toEqual({
      envelope: params.envelope,
      identity_domain: domain.toLowerCase(),
      identity_owner: owner.address,
    })
  })

  it('is bound on chain with what the upload answered', async () => {
    const { result } = await uploaded()
    expect(Math.abs(result.deadline - Date.now() / 1000 - 300)).toBeLessThan(60)
    const transactor = await transactorOf()
    const { logs } = await register(transactor, result)
    const [bound] = parseEventLogs({ abi: identityRegistryAbi, eventName: 'IdentityBound', logs })
    expect(bound?.args).toEqual({
      identityOwner: owner.address,
      identityDomain: domain.toLowerCase(),
      dataRefId: result.data_ref_id,
    })
    const identity = { identityOwner: owner.address, identityDomain: domain }
    expect(await readBoundIdentity(transactor.client, identityRegistry, identity)).toBe(
      result.data_ref_id,
    )
    await expect(register(transactor, result)).rejects.toMatchObject({
      errorName: 'RegistrationAlreadyUsed',
    })
  })

  it.each<[string, Partial<Parameters<typeof registerIdentityData>[2]>]>([
    ['domain', { identityDomain: otherDomain }],
    ['reference', { dataRefId: `0x${'00'.repeat(32)}` }],
    ['deadline', { deadline: 1n << 40n }],
  ])('is not bound with another %s', async (_, change) => {
    const { result } = await uploaded()
    await expect(register(await transactorOf(), result, change)).rejects.toMatchObject({
      errorName: 'InvalidGatewaySignature',
    })
  })

  it('is bound by its owner alone, and to nobody else', async () => {
    const { result } = await uploaded()
    const stranger = await transactorOf(devAccount(4))
    await expect(register(stranger, result)).rejects.toMatchObject({
      errorName: 'NotIdentityOwner',
    })
    const identityOwner = stranger.account.address
    await expect(register(stranger, result, { identityOwner })).rejects.toMatchObject({
      errorName: 'InvalidGatewaySignature',
    })
  })

  it('is not bound by the signature of another gateway', async () => {
    const { result } = await uploaded()
    const gatewaySignature = await devAccount(4).signTypedData({
      domain: identityDomainOf(chainId, identityRegistry),
      ...identityRegistration,
      message: {
        identityOwner: owner.address,
        identityDomain: domain,
        dataRefId: result.data_ref_id,
        deadline: BigInt(result.deadline),
      },
    })
    await expect(
      register(await transactorOf(), result, { gatewaySignature }),
    ).rejects.toMatchObject({ errorName: 'InvalidGatewaySignature' })
  })

  it('may be uploaded again by any key, and never over what stands', async () => {
    const { params, result } = await uploaded()
    const again = await uploadIdentity(params, 'stranger')
    expect(again.result?.data_ref_id).toBe(result.data_ref_id)
    const thief = devAccount(4)
    const stolen = await uploadIdentity({
      ...params,
      identity_owner: thief.address,
      identity_owner_sig: await sign(params.envelope, thief),
    })
    const moved = await uploadIdentity({ ...params, identity_domain: otherDomain })
    for (const { status, error } of [stolen, moved]) {
      expect(status).toBe(200)
      expect(error).toEqual({
        code: -32602,
        message:
          'Invalid request format: envelope is already stored for another identity_owner or identity_domain',
      })
    }
    const { data_ref_id } = result
    const back = await client.call('getIdentityEncrypted', { data_ref_id })
    expect(back.result).toMatchObject({
      identity_owner: owner.address,
      identity_domain: domain.toLowerCase(),
    })
  })

  it.each<[string, (envelope: string) => Promise<Hex>]>([
    ['another account', (envelope) => sign(envelope, devAccount(4))],
    ['the owner over other data', (envelope) => sign(`${envelope} `)],
    [
      'the owner for another registry',
      (envelope) => sign(envelope, owner, confidentialDataRegistry),
    ],
    ['nobody', async () => `0x${'00'.repeat(65)}`],
    ['the owner, cut', async (envelope) => (await sign(envelope)).slice(0, -2) as Hex],
    ['the owner, with the higher s', async (envelope) => highS(await sign(envelope))],
  ])('is refused with a signature of %s', async (_, signature) => {
    const params = await identityParams()
    const identity_owner_sig = await signature(params.envelope)
    const { status, error } = await uploadIdentity({ ...params, identity_owner_sig })
    expect(status).toBe(200)
    expect(error).toEqual({
      code: -32002,
      message: `Authorization failed: identity_owner_sig is not a signature of ${owner.address} over the envelope`,
    })
    const { error: unknown } = await client.call('getIdentityEncrypted', {
      data_ref_id: keccak256(toBytes(params.envelope)),
    })
    expect(unknown?.code).toBe(-32602)
  })

  it('needs the permission to write', async () => {
    const { status, error } = await uploadIdentity(await identityParams(), 'read')
    expect(status).toBe(403)
    expect(error?.message).toBe('RpcWrite permission required')
  })

  it('is not found under a reference of nothing', async () => {
    const data_ref_id = `0x${'00'.repeat(32)}`
    const { error } = await client.call('getIdentityEncrypted', { data_ref_id })
    expect(error).toEqual({
      code: -32602,
      message: `No identity data found for data_ref_id ${data_ref_id}`,
    })
  })
})

describe('confidential data', () => {
  const provider = () => privateKeyToAccount(description.accounts.provider!.privateKey)
  const paramsOf = async (of: Address) => ({
    provider: of,
    domain,
    envelope: await seal(of),
    chain_id: chainId,
  })
  const upload = (params: unknown, key: 'rpc' | 'stranger' = 'rpc') =>
    client.call('uploadConfidentialData', params, key)

  it('of a registered provider is stored and given back with its type', async () => {
    const params = await paramsOf(provider().address)
    const data_ref_id = keccak256(toBytes(params.envelope))
    const { result } = await upload(params)
    expect(result).toEqual({ success: true, data_ref_id, error: null })
    expect((await upload(params)).result).toEqual(result)
    const { result: back } = await client.call('getConfidentialData', { data_ref_id }, 'read')
    expect(back).toEqual({ envelope: params.envelope, data_type: 'sample-records' })
    const moved = await upload({ ...params, domain: otherDomain })
    expect(moved.result).toEqual({
      success: false,
      data_ref_id: null,
      error: 'envelope is already stored for another provider or domain',
    })
  })

  it('is refused as soon as its provider is removed, and what is stored stays', async () => {
    const registrar = await transactorOf(devAccount(0))
    const added = devAccount(4)
    await registerProvider(registrar, confidentialDataRegistry, {
      provider: added.address,
      dataType: 'weather',
    })
    const first = await upload(await paramsOf(added.address), 'stranger')
    expect(first.result?.success).toBe(true)
    await removeProvider(registrar, confidentialDataRegistry, added.address)
    const { status, result } = await upload(await paramsOf(added.address), 'stranger')
    expect(status).toBe(200)
    expect(result).toEqual({
      success: false,
      data_ref_id: null,
      error: `provider ${added.address} is not registered on the confidential-data registry`,
    })
    const { data_ref_id } = first.result!
    const { result: back } = await client.call('getConfidentialData', { data_ref_id })
    expect(back?.data_type).toBe('weather')
  })

  it('is refused to a key that is not associated with the provider', async () => {
    const { address } = provider()
    const { status, error } = await upload(await paramsOf(address), 'stranger')
    expect(status).toBe(200)
    expect(error).toEqual({
      code: -32002,
      message: `Authorization failed: provider ${address} is not associated with this API key`,
    })
  })

  it('must name the provider in its envelope', async () => {
    const params = await paramsOf(provider().address)
    const { error } = await upload({ ...params, envelope: await seal(owner.address) })
    expect(error).toEqual({
      code: -32602,
      message: 'Invalid request format: envelope.policy_client must be the provider',
    })
  })

  it('is no identity data', async () => {
    const params = await paramsOf(provider().address)
    const { data_ref_id } = (await upload(params)).result!
    const { error } = await client.call('getIdentityEncrypted', { data_ref_id })
    expect(error?.message).toBe(`No identity data found for data_ref_id ${data_ref_id}`)
    const { error: none } = await client.call('getConfidentialData', {
      data_ref_id: `0x${'00'.repeat(32)}`,
    })
    expect(none?.message).toBe(`No confidential data found for data_ref_id 0x${'00'.repeat(32)}`)
  })
})

describe('the deadline', () => {
  // Last: the time of a chain goes one way.
  it('is the last second at which a registration is taken', async () => {
    const { params, result } = await uploaded()
    const chain = createTestClient({ mode: 'anvil', transport: http(description.chain.rpcUrl) })
    const transactor = await transactorOf()
    const late = (await uploaded()).result
    await chain.setNextBlockTimestamp({ timestamp: BigInt(late.deadline) })
    await register(transactor, late)
    await chain.increaseTime({ seconds: 301 })
    await chain.mine({ blocks: 1 })
    await expect(register(transactor, result)).rejects.toMatchObject({
      errorName: 'RegistrationExpired',
    })
    expect((await uploadIdentity(params)).result?.data_ref_id).toBe(result.data_ref_id)
  })
})

/** The other form of a signature, which recovers to the same account. */
function highS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.slice(130) === '1b' ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex
}
