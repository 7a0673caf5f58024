import type { LocalStack } from 'polgate-local/localStack.ts'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { grantConfidentialData, revokeConfidentialData } from '../privateData/confidentialGrants.ts'
import {
  removeConfidentialSource,
  setConfidentialSource,
} from '../privateData/confidentialSources.ts'
import { linkIdentity } from '../privateData/linkIdentity.ts'
import { revokeIdentityLinks } from '../privateData/revokeIdentityLinks.ts'
import { chainOf, clientOf, policyClientOf, walletOf } from './stackClients.ts'

const domainOf = (byte: string) => `0x${byte.repeat(32)}` as const
const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value))

/** Identities and confidential data that policies read, on a chain. */
export function privateDataSuite(stack: () => LocalStack): void {
  const place = () => ({
    policyClient: policyClientOf(stack(), 'allow-list'),
    identityRegistry: stack().description.chain.identityRegistry!,
  })

  describe('private data of policies', () => {
    it('of an identity is registered, linked by both parties, listed and revoked', async () => {
      const client = clientOf(stack())
      const [owner, user] = [walletOf(stack()), walletOf(stack(), 'stranger')]
      const identityDomain = domainOf('1a')
      const { dataRefId, envelope } = await client.registerIdentity({
        ...{ walletClient: owner, identityRegistry: place().identityRegistry, identityDomain },
        plaintext: bytesOf({ status: 'approved' }),
      })
      expect((await client.getIdentityEncrypted({ data_ref_id: dataRefId })).envelope).toBe(
        envelope,
      )
      const link = {
        ...{ ...place(), identityOwner: owner.account.address, clientUser: user.account.address },
        identityDomains: [identityDomain, domainOf('1b')],
      }
      await expect(linkIdentity({ ...link, walletClient: owner })).rejects.toThrow(
        'userSignature is missing',
      )
      const third = walletOf(stack(), 'owner').account
      await expect(client.signIdentityLink({ ...link, account: third })).rejects.toThrow(
        'neither the identity owner nor the user',
      )
      const signed = await client.signIdentityLink({ ...link, account: user.account })
      const userSignature = signed.signature
      await expect(
        linkIdentity({ ...link, walletClient: owner, userSignature }),
      ).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
      const sent = { ...link, walletClient: owner, userSignature, deadline: signed.deadline }
      expect((await linkIdentity(sent)).status).toBe('success')
      const listed = () => client.identityLinks({ ...place(), clientUser: user.account.address })
      expect(await listed()).toEqual([
        { identityDomain, identityOwner: owner.account.address, dataRefId },
        {
          identityDomain: domainOf('1b'),
          identityOwner: owner.account.address,
          dataRefId: undefined,
        },
      ])
      const { clientUser, identityDomains } = link
      await revokeIdentityLinks({ ...place(), clientUser, identityDomains, walletClient: user })
      expect(await listed()).toEqual([])
      // The signature was for the nonce before.
      await expect(linkIdentity(sent)).rejects.toMatchObject({
        ...{ code: 'CONTRACT_ERROR', errorName: 'InvalidLinkSignature' },
        message: expect.stringContaining(clientUser),
      })
    })

    it('of owner and user in one is linked with one signature', async () => {
      const wallet = walletOf(stack())
      const self = wallet.account.address
      const link = {
        ...{ ...place(), identityOwner: self, clientUser: self, walletClient: wallet },
        identityDomains: [domainOf('1c')],
      }
      expect((await linkIdentity(link)).status).toBe('success')
      await expect(linkIdentity(link)).rejects.toMatchObject({ errorName: 'AlreadyLinked' })
      await revokeIdentityLinks(link)
    })

    it('of a provider is published, granted, chosen and revoked', async () => {
      const client = clientOf(stack())
      const { provider: account } = stack().description.accounts
      const confidentialDataRegistry = stack().description.chain.confidentialDataRegistry!
      const walletClient = createWalletClient({
        ...{ account: privateKeyToAccount(account!.privateKey), chain: chainOf(stack()) },
        ...{ transport: http(), pollingInterval: 50 },
      })
      const provider = walletClient.account.address
      const { policyClient } = place()
      const domain = domainOf('2a')
      const shared = { confidentialDataRegistry, walletClient, domain }
      const publish = () =>
        client.publishConfidentialData({ ...shared, plaintext: bytesOf({ entries: [] }) })
      expect(await publish()).toMatchObject({ version: 1 })
      const { dataRefId, version } = await publish()
      expect(version).toBe(2)
      const owner = { confidentialDataRegistry, walletClient: walletOf(stack(), 'owner') }
      const dataType = 'sample-records'
      const source = { policyClient, dataType, provider, domain }
      await expect(
        setConfidentialSource({ ...shared, ...source, walletClient }),
      ).rejects.toMatchObject({ errorName: 'NotClientOwner' })
      await setConfidentialSource({ ...owner, ...source })
      const listed = async () =>
        await client.confidentialSources({ confidentialDataRegistry, policyClient })
      const expected = { dataType, provider, domain, version: 2, dataRefId }
      expect(await listed()).toEqual([{ ...expected, granted: false }])
      await grantConfidentialData({ ...shared, policyClient })
      expect(await listed()).toEqual([{ ...expected, granted: true }])
      await revokeConfidentialData({ ...shared, policyClient })
      expect(await listed()).toEqual([{ ...expected, granted: false }])
      await removeConfidentialSource({ ...owner, policyClient, dataType })
      expect(await listed()).toEqual([])
      const stranger = { ...shared, walletClient: walletOf(stack(), 'stranger') }
      await expect(grantConfidentialData({ ...stranger, policyClient })).rejects.toMatchObject({
        errorName: 'NotProvider',
      })
    })
  })
}
