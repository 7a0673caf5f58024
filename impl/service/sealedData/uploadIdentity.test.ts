import { devAccount } from 'polgate-chain/accounts.ts'
import {
  domain,
  otherDomain,
  owner,
  referenceOf,
  type SealedDataStack,
  startSealedDataStack,
} from 'polgate-local/testing/sealedDataStack.ts'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let stack: SealedDataStack
beforeAll(async () => {
  stack = await startSealedDataStack()
})
afterAll(() => stack.close())

describe('identity data', () => {
  it('is stored under the hash of its bytes and returned byte for byte', async () => {
    const { params, result } = await stack.uploaded()
    expect(result.data_ref_id).toBe(referenceOf(params.envelope))
    const upper = `0x${result.data_ref_id.slice(2).toUpperCase()}`
    const { result: back } = await stack.client.call(
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

  it('may be uploaded again by any key, and never overwrites', async () => {
    const { params, result } = await stack.uploaded()
    const again = await stack.uploadIdentity(params, 'stranger')
    expect(again.result?.data_ref_id).toBe(result.data_ref_id)
    const thief = devAccount(4)
    const stolen = await stack.uploadIdentity({
      ...params,
      identity_owner: thief.address,
      identity_owner_sig: await stack.sign(params.envelope, thief),
    })
    const moved = await stack.uploadIdentity({ ...params, identity_domain: otherDomain })
    for (const { status, error } of [stolen, moved]) {
      expect(status).toBe(200)
      expect(error).toEqual({
        code: -32602,
        message:
          'Invalid request format: envelope is already stored for another identity_owner or identity_domain',
      })
    }
    const { data_ref_id } = result
    const back = await stack.client.call('getIdentityEncrypted', { data_ref_id })
    expect(back.result).toMatchObject({
      identity_owner: owner.address,
      identity_domain: domain.toLowerCase(),
    })
  })

  it.each<[string, (envelope: string) => Promise<Hex>]>([
    ['another account', (envelope) => stack.sign(envelope, devAccount(4))],
    ['the owner over other data', (envelope) => stack.sign(`${envelope} `)],
    [
      'the owner for another registry',
      (envelope) => stack.sign(envelope, owner, stack.confidentialDataRegistry),
    ],
    ['no account', async () => `0x${'00'.repeat(65)}`],
    ['the owner, truncated', async (envelope) => (await stack.sign(envelope)).slice(0, -2) as Hex],
    ['the owner, with the higher s', async (envelope) => highS(await stack.sign(envelope))],
  ])('is rejected with a signature of %s', async (_, signature) => {
    const params = await stack.identityParams()
    const identity_owner_sig = await signature(params.envelope)
    const { status, error } = await stack.uploadIdentity({ ...params, identity_owner_sig })
    expect(status).toBe(200)
    expect(error).toEqual({
      code: -32002,
      message: `Authorization failed: identity_owner_sig is not a signature of ${owner.address} over the envelope`,
    })
    const { error: unknown } = await stack.client.call('getIdentityEncrypted', {
      data_ref_id: referenceOf(params.envelope),
    })
    expect(unknown?.code).toBe(-32602)
  })

  it('accepts addresses and domains in any case', async () => {
    const params = await stack.identityParams()
    const shouted = `0x${owner.address.slice(2).toUpperCase()}`
    const first = await stack.uploadIdentity({ ...params, identity_owner: shouted })
    const again = await stack.uploadIdentity({
      ...params,
      identity_owner: owner.address.toLowerCase(),
      identity_domain: domain.toLowerCase(),
    })
    expect(first.result?.data_ref_id).toBe(referenceOf(params.envelope))
    expect(again.result?.data_ref_id).toBe(first.result?.data_ref_id)
    const identity_owner = `0x${devAccount(4).address.slice(2).toUpperCase()}`
    const { error } = await stack.uploadIdentity({ ...params, identity_owner })
    expect(error?.code).toBe(-32002)
  })

  it('requires write permission', async () => {
    const { status, error } = await stack.uploadIdentity(await stack.identityParams(), 'read')
    expect(status).toBe(403)
    expect(error?.message).toBe('RpcWrite permission required')
  })

  it('is not found under an unknown reference', async () => {
    const data_ref_id = `0x${'00'.repeat(32)}`
    const { error } = await stack.client.call('getIdentityEncrypted', { data_ref_id })
    expect(error).toEqual({
      code: -32602,
      message: `No identity data found for data_ref_id ${data_ref_id}`,
    })
  })
})

/** The other form of a signature, with the same signer. */
function highS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.slice(130) === '1b' ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex
}
