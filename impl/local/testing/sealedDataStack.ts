import { devAccount } from 'polgate-chain/accounts.ts'
import { encryptedIdentityData, identityDomainOf } from 'polgate-chain/identityRegistry.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { sealEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { type Hex, keccak256, toBytes } from 'viem'
import type { LocalStackOptions } from '../localStackOptions.ts'
import { stackClient } from './stackClient.ts'
import { startTestStack } from './startTestStack.ts'

export const chainId = 31_337
/** Owner of the identity. */
export const owner = devAccount(1)
export const domain: Hex = `0x${'Ab'.repeat(32)}`
export const otherDomain: Hex = `0x${'cd'.repeat(32)}`

export const referenceOf = (envelope: string): Hex => keccak256(toBytes(envelope))

/** A local stack from the view of a client that uploads sealed data. */
export async function startSealedDataStack(options: LocalStackOptions = {}) {
  const stack = await startTestStack(options)
  const { description } = stack
  const client = stackClient(description)
  const { identityRegistry, confidentialDataRegistry } = description.chain as Required<
    StackDescription['chain']
  >

  /** A new envelope each time, as sealing is randomized. */
  const seal = (policyClient: Address) =>
    sealEnvelope({
      plaintext: Buffer.from('{"name":"nobody"}'),
      policyClient,
      chainId,
      recipientPublicKey: stack.service.encryptionKeys.privacyPublicKey,
    })

  const sign = (data: string, account = owner, registry: Address = identityRegistry) =>
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

  const uploadIdentity = (params: unknown, key: keyof StackDescription['apiKeys'] = 'rpc') =>
    client.call('uploadIdentityEncrypted', params, key)

  return {
    description,
    client,
    identityRegistry,
    confidentialDataRegistry,
    seal,
    sign,
    identityParams,
    uploadIdentity,
    /** A successful upload and its params. */
    async uploaded() {
      const params = await identityParams()
      const { result, error } = await uploadIdentity(params)
      if (result === undefined) throw new Error(error?.message)
      return { params, result }
    },
    transactorOf: (account = owner) =>
      createTransactor({ rpcUrl: description.chain.rpcUrl, account }),
    close: () => stack.close(),
  }
}

export type SealedDataStack = Awaited<ReturnType<typeof startSealedDataStack>>
