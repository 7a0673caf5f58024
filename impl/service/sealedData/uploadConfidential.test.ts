import { devAccount } from 'polgate-chain/accounts.ts'
import { registerProvider, removeProvider } from 'polgate-chain/confidentialDataRegistry.ts'
import {
  chainId,
  domain,
  otherDomain,
  owner,
  referenceOf,
  type SealedDataStack,
  startSealedDataStack,
} from 'polgate-local/testing/sealedDataStack.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let stack: SealedDataStack
beforeAll(async () => {
  stack = await startSealedDataStack()
})
afterAll(() => stack.close())

describe('confidential data', () => {
  const provider = () => privateKeyToAccount(stack.description.accounts.provider!.privateKey)
  const paramsOf = async (of: Address) => ({
    provider: of,
    domain,
    envelope: await stack.seal(of),
    chain_id: chainId,
  })
  const upload = (params: unknown, key: 'rpc' | 'stranger' = 'rpc') =>
    stack.client.call('uploadConfidentialData', params, key)

  it('of a registered provider is stored and returned with its type', async () => {
    const params = await paramsOf(provider().address)
    const data_ref_id = referenceOf(params.envelope)
    const { result } = await upload(params)
    expect(result).toEqual({ success: true, data_ref_id, error: null })
    expect((await upload(params)).result).toEqual(result)
    const { result: back } = await stack.client.call('getConfidentialData', { data_ref_id }, 'read')
    expect(back).toEqual({ envelope: params.envelope, data_type: 'sample-records' })
    const moved = await upload({ ...params, domain: otherDomain })
    expect(moved.result).toEqual({
      success: false,
      data_ref_id: null,
      error: 'envelope is already stored for another provider or domain',
    })
  })

  it('is rejected as soon as its provider is removed, while stored data stays', async () => {
    const registrar = await stack.transactorOf(devAccount(0))
    const added = devAccount(4)
    await registerProvider(registrar, stack.confidentialDataRegistry, {
      provider: added.address,
      dataType: 'weather',
    })
    const first = await upload(await paramsOf(added.address), 'stranger')
    expect(first.result?.success).toBe(true)
    await removeProvider(registrar, stack.confidentialDataRegistry, added.address)
    const { status, result } = await upload(await paramsOf(added.address), 'stranger')
    expect(status).toBe(200)
    expect(result).toEqual({
      success: false,
      data_ref_id: null,
      error: `provider ${added.address} is not registered on the confidential-data registry`,
    })
    const { data_ref_id } = first.result!
    const { result: back } = await stack.client.call('getConfidentialData', { data_ref_id })
    expect(back?.data_type).toBe('weather')
  })

  it('is rejected for a key that is not associated with the provider', async () => {
    const { address } = provider()
    const { status, error } = await upload(await paramsOf(address), 'stranger')
    expect(status).toBe(200)
    expect(error).toEqual({
      code: -32002,
      message: `Authorization failed: provider ${address} is not associated with this API key`,
    })
  })

  it('must have the provider in its envelope', async () => {
    const params = await paramsOf(provider().address)
    const { error } = await upload({ ...params, envelope: await stack.seal(owner.address) })
    expect(error).toEqual({
      code: -32602,
      message: 'Invalid request format: envelope.policy_client must be the provider',
    })
  })

  it('is not identity data', async () => {
    const params = await paramsOf(provider().address)
    const { data_ref_id } = (await upload(params)).result!
    const { error } = await stack.client.call('getIdentityEncrypted', { data_ref_id })
    expect(error?.message).toBe(`No identity data found for data_ref_id ${data_ref_id}`)
    const { error: none } = await stack.client.call('getConfidentialData', {
      data_ref_id: `0x${'00'.repeat(32)}`,
    })
    expect(none?.message).toBe(`No confidential data found for data_ref_id 0x${'00'.repeat(32)}`)
  })
})
