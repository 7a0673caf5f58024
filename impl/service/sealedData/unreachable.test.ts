import { devAccount } from 'polgate-chain/accounts.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import type { Address, Hex } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEnvelope } from '../envelopes/envelope.ts'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { sealedDataChain } from './sealedDataChain.ts'
import { createSealedData } from './sealedDataService.ts'

/** A gateway whose chain is unavailable, or that has no registries. */

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const somewhere: Address = `0x${'11'.repeat(20)}`
const client = createChainClient({ rpcUrl: 'http://127.0.0.1:1/secret-key' })
const serviceWith = (registries: Partial<Parameters<typeof sealedDataChain>[0]>) =>
  createSealedData({
    store: store.sealedData,
    fingerprints: store.fingerprints,
    chain: sealedDataChain({ client, chainId: 5, ...registries }),
    signer: devAccount(9),
    privacyKeys: () => ['09'.padEnd(64, '0')],
  })

const provider = devAccount(3).address
const caller = { keyId: 'key', owners: [provider.toLowerCase() as Address] }

const shared = async () => ({
  envelope: await sealEnvelope({
    plaintext: Buffer.from('anything'),
    policyClient: provider,
    chainId: 5,
    recipientPublicKey: '09'.padEnd(64, '0'),
  }),
  chain_id: 5,
})
const identityParams = async () => ({
  ...(await shared()),
  identity_owner: provider as Address,
  identity_owner_sig: `0x${'00'.repeat(65)}` as Hex,
  identity_domain: `0x${'22'.repeat(32)}` as Hex,
})
const confidentialParams = async () => ({
  ...(await shared()),
  provider: provider as Address,
  domain: `0x${'22'.repeat(32)}` as Hex,
})

describe('without registries', () => {
  it('uploads are rejected, after validation', async () => {
    const service = serviceWith({})
    await expect(service.uploadIdentity(await identityParams(), caller)).rejects.toMatchObject({
      code: -32616,
      message: 'This gateway has no identity registry',
      hint: 'Set chain.identityRegistry in the configuration.',
    })
    const confidential = await confidentialParams()
    await expect(service.uploadConfidential(confidential, caller)).rejects.toMatchObject({
      code: -32616,
      message: 'This gateway has no confidential-data registry',
      hint: 'Set chain.confidentialDataRegistry in the configuration.',
    })
    const malformed = { ...confidential, envelope: '{}' }
    await expect(service.uploadConfidential(malformed, caller)).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('with an unavailable chain', () => {
  const registries = { identityRegistry: somewhere, confidentialDataRegistry: somewhere }

  it('an owner that cannot be verified is a retryable error', async () => {
    const upload = serviceWith(registries).uploadIdentity(await identityParams(), caller)
    const error = await upload.catch((thrown) => thrown)
    expect(error).toMatchObject({ code: -32616, retryable: true })
    expect(error.message).toMatch(/^Contract read failed: /)
    expect(error.message).not.toContain('secret-key')
  })

  it('a provider that cannot be looked up is reported in the result', async () => {
    const params = await confidentialParams()
    const result = await serviceWith(registries).uploadConfidential(params, caller)
    expect(result).toMatchObject({ success: false, data_ref_id: null })
    expect(result.error).toMatch(/^Contract read failed: /)
    expect(result.error).not.toContain('secret-key')
  })
})
