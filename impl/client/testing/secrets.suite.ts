import type { LocalStack } from 'polgate-local/localStack.ts'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { writeContract } from 'viem/actions'
import { describe, expect, it } from 'vitest'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { encodeSecrets } from '../sealing/encodeSecrets.ts'
import { chainOf, clientOf, policyClientOf, walletOf } from './stackClients.ts'

/** Sealed data, uploaded to a gateway. */
export function secretsSuite(stack: () => LocalStack): void {
  const wasm_args = toHex(JSON.stringify({ symbol: 'ETH' }))
  const place = () => {
    const { policyData } = stack().description.clients['without-secrets']!
    return {
      policyClient: policyClientOf(stack(), 'without-secrets'),
      policyDataAddress: policyData[0]!.address,
    }
  }
  const secrets = () => ({
    PRICE_FEED_URL: stack().description.fixtureHostUrl,
    PRICE_API_KEY: 'fixture-price-feed-key',
  })

  describe('sealed data', () => {
    it('of oracles is stored, and read by the oracle', async () => {
      const client = clientOf(stack())
      const { policyClient: policy_client, policyDataAddress: policy_data_address } = place()
      const run = () =>
        client.simulatePolicyDataWithClient({ policy_client, policy_data_address, wasm_args })
      await expect(run()).rejects.toMatchObject({ code: 'MISSING_SECRETS' })
      const bad = client.storeSecrets({ ...place(), secrets: { PRICE_API_KEY: 'x' } })
      await expect(bad).rejects.toMatchObject({ code: 'SECRETS_INVALID' })
      const foreign = clientOf(stack(), 'stranger').storeSecrets({ ...place(), secrets: secrets() })
      await expect(foreign).rejects.toMatchObject({ code: 'NOT_OWNER' })
      const reading = clientOf(stack(), 'read').storeSecrets({ ...place(), secrets: secrets() })
      await expect(reading).rejects.toMatchObject({ code: 'FORBIDDEN' })
      const stored = await client.storeSecrets({ ...place(), secrets: secrets() })
      expect(stored.schema).toMatchObject({ required: expect.arrayContaining(['PRICE_API_KEY']) })
      const { policy_data } = await run()
      expect(policy_data.data).toMatchObject({ price_feed: { symbol: 'ETH' } })
    })

    it('of one run is sent with it', async () => {
      const client = clientOf(stack())
      const { policyClient, policyDataAddress: policy_data_address } = place()
      const envelope = await client.sealSecrets({
        ...{ policyClient, policyDataAddress: policy_data_address },
        ...{ secrets: secrets(), use: 'simulation' },
      })
      expect(JSON.parse(envelope)).toMatchObject({ bound_use: 'simulation' })
      const { policy_data } = await client.simulatePolicyData({
        policy_data_address,
        chain_id: chainOf(stack()).id,
        secrets: encodeSecrets(envelope),
        wasm_args,
      })
      expect(policy_data.data).toMatchObject({ price_feed: { symbol: 'ETH' } })
    })

    it('of an identity is uploaded, verified, registered on chain, and read again', async () => {
      const client = clientOf(stack())
      const account = privateKeyToAccount(stack().description.accounts.sender.privateKey)
      const identityRegistry = stack().description.chain.identityRegistry!
      const upload = {
        account,
        identityRegistry,
        identityDomain: `0x${'ab'.repeat(32)}` as const,
        plaintext: new TextEncoder().encode('{"name":"nobody"}'),
      }
      const uploaded = await client.uploadIdentity(upload)
      const wallet = walletOf(stack())
      const hash = await writeContract(wallet, uploaded.registration)
      const receipt = await waitForReceipt(wallet, { hash })
      expect(receipt.status).toBe('success')
      const read = await client.getIdentityEncrypted({ data_ref_id: uploaded.dataRefId })
      expect(read.envelope).toBe(uploaded.envelope)
      expect(JSON.parse(read.envelope)).toMatchObject({ bound_use: 'identity' })
      expect(read.identity_owner.toLowerCase()).toBe(account.address.toLowerCase())
      await expect(
        client.uploadIdentity({ ...upload, account: walletOf(stack(), 'owner') }),
      ).resolves.toMatchObject({ gateway: uploaded.gateway })
      const other = stack().description.chain.taskManager
      await expect(
        client.uploadIdentity({ ...upload, identityRegistry: other }),
      ).rejects.toMatchObject({ code: 'CONTRACT_ERROR' })
    })

    it('of a provider is uploaded and read again', async () => {
      const client = clientOf(stack())
      const provider = stack().description.accounts.provider!.address
      const plaintext = new TextEncoder().encode('{}')
      const domain = `0x${'cd'.repeat(32)}` as const
      const { data_ref_id } = await client.uploadConfidential({ provider, domain, plaintext })
      const { envelope } = await client.getConfidentialData({ data_ref_id })
      const { public_key } = await client.getPrivacyPublicKey()
      expect(JSON.parse(envelope)).toMatchObject({
        policy_client: provider,
        bound_use: 'confidential',
        recipient_pubkey: public_key,
      })
      const foreign = clientOf(stack(), 'stranger')
      await expect(
        foreign.uploadConfidential({ provider, domain, plaintext }),
      ).rejects.toMatchObject({ code: 'NOT_OWNER' })
    })

    it('needs a chain', async () => {
      const client = clientOf(stack(), 'rpc', { chain: undefined })
      await expect(client.storeSecrets({ ...place(), secrets: secrets() })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
    })
  })
}
