import { devAccount } from 'polgate-chain/accounts.ts'
import {
  grantAccess,
  publishData,
  registerProvider,
  revokeAccess,
  setSource,
} from 'polgate-chain/confidentialDataRegistry.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from 'polgate-chain/deploy.ts'
import {
  encryptedIdentityData,
  identityDomainOf,
  identityLink,
  linkIdentity,
  readLinkNonce,
  registerIdentityData,
  revokeLinks,
} from 'polgate-chain/identityRegistry.ts'
import { readIntentDomain } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { sealEnvelope } from 'polgate-client/sealing/sealEnvelope.ts'
import { intentTypedData } from 'polgate-lib/intents/intentTypedData.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { parseIntent } from 'polgate-service/intents/intent.ts'
import { type Hex, stringToHex } from 'viem'
import { contentDirectory } from '../chainImage.ts'
import type { LocalStack } from '../localStack.ts'
import { plainIntent, stackClient } from './stackClient.ts'

type Account = ReturnType<typeof devAccount>

/** Owner of the identity, and the user who signs intents. */
export const person = devAccount(1)
export const provider = devAccount(4)
export const kyc: Hex = `0x${'ab'.repeat(32)}`
export const sanctions: Hex = `0x${'cd'.repeat(32)}`

/** What people, providers and clients do with private data on a local stack, until a task uses it. */
export async function privateDataStack(stack: Pick<LocalStack, 'description' | 'service'>) {
  const { description } = stack
  const chain = description.chain as Required<StackDescription['chain']>
  const { chainId, identityRegistry, confidentialDataRegistry } = chain
  const rpc = stackClient(description)
  const content = createContentStore({ directory: contentDirectory })
  const by = (account: Account) => createTransactor({ rpcUrl: chain.rpcUrl, account })
  const [owner, asPerson, asProvider] = await Promise.all([devAccount(0), person, provider].map(by))
  const seal = (policyClient: Address, plaintext: unknown) =>
    sealEnvelope({
      ...{ policyClient, chainId, proven: true },
      plaintext: Buffer.from(JSON.stringify(plaintext)),
      recipientPublicKey: stack.service.encryptionKeys.privacyPublicKey,
    })
  let sent = 0

  return {
    seal,
    /** A client of a policy with the entrypoint `private.allow`, and of oracles by their components. */
    async deploy(source: string, oracles: readonly Uint8Array[] = []): Promise<Address> {
      const policyCid = await content.put(Buffer.from(source))
      const policyData: Address[] = []
      for (const component of oracles) {
        const wasmCid = await content.put(component)
        policyData.push(await deployPolicyData(owner!, { wasmCid, expireAfter: 1_000 }))
      }
      const policy = await deployPolicy(owner!, chain, {
        ...{ entrypoint: 'private.allow', policyCid, schemaCid: '', policyData },
      })
      return await deployPolicyClient(owner!, chain, {
        ...{ kind: 'sample', policy, policyParams: '{}', expireAfter: 1_000 },
        ...{ domainName: 'PolicyClient', domainVersion: '1' },
      })
    },
    /** Uploads and registers an identity of the person. @returns its envelope */
    async register(identity: unknown): Promise<string> {
      const envelope = await seal(person.address, identity)
      const domain = identityDomainOf(chainId, identityRegistry)
      const { result, error } = await rpc.call('uploadIdentityEncrypted', {
        identity_owner: person.address,
        identity_owner_sig: await person.signTypedData({
          ...{ domain, ...encryptedIdentityData },
          message: { data: envelope },
        }),
        ...{ envelope, identity_domain: kyc, chain_id: chainId },
      })
      if (result === undefined) throw new Error(error?.message)
      await registerIdentityData(asPerson!, identityRegistry, {
        ...{ identityOwner: person.address, identityDomain: kyc },
        dataRefId: result.data_ref_id,
        gatewaySignature: result.gateway_signature as Hex,
        deadline: BigInt(result.deadline),
      })
      return envelope
    },
    async link(policyClient: Address): Promise<void> {
      const link = {
        ...{ identityOwner: person.address, policyClient, clientUser: person.address },
        ...{ identityDomains: [kyc], deadline: 1n << 40n },
      }
      const nonce = await readLinkNonce(owner!.client, identityRegistry, person.address)
      const signature = await person.signTypedData({
        domain: identityDomainOf(chainId, identityRegistry),
        ...{ ...identityLink, message: { ...link, nonce } },
      })
      const signatures = { ownerSignature: signature, userSignature: signature }
      await linkIdentity(owner!, identityRegistry, { ...link, ...signatures })
    },
    async unlink(policyClient: Address): Promise<void> {
      const of = { policyClient, clientUser: person.address, identityDomains: [kyc] }
      await revokeLinks(asPerson!, identityRegistry, of)
    },
    registerProvider: () =>
      registerProvider(owner!, confidentialDataRegistry, {
        ...{ provider: provider.address, dataType: 'blacklist' },
      }),
    /** Uploads and publishes data of the provider. */
    async publish(data: unknown): Promise<void> {
      const envelope = await seal(provider.address, data)
      const params = {
        ...{ provider: provider.address, domain: sanctions, envelope, chain_id: chainId },
      }
      const { result, error } = await rpc.call('uploadConfidentialData', params, 'stranger')
      if (result?.data_ref_id == null) throw new Error(result?.error ?? error?.message)
      const dataRefId = result.data_ref_id
      await publishData(asProvider!, confidentialDataRegistry, { domain: sanctions, dataRefId })
    },
    async grant(policyClient: Address): Promise<void> {
      const access = { client: policyClient, domain: sanctions }
      await grantAccess(asProvider!, confidentialDataRegistry, access)
    },
    async revoke(policyClient: Address): Promise<void> {
      const access = { client: policyClient, domain: sanctions }
      await revokeAccess(asProvider!, confidentialDataRegistry, access)
    },
    async choose(policyClient: Address): Promise<void> {
      await setSource(owner!, confidentialDataRegistry, {
        ...{ client: policyClient, dataType: 'blacklist', domain: sanctions },
        provider: provider.address,
      })
    },
    async sign(policyClient: Address, intent: TaskIntent, user = person): Promise<Data> {
      const domain = await readIntentDomain(owner!.client, policyClient)
      return await user.signTypedData(
        intentTypedData(parseIntent(intent), domain!) as Parameters<typeof user.signTypedData>[0],
      )
    },
    /** A task with the signature of a user, and ephemeral data by name; `onSealed` gets its envelopes. */
    async task(
      policyClient: Address,
      {
        user = person,
        privacy,
        onSealed = () => {},
      }: {
        user?: Account | null
        privacy?: Record<string, unknown>
        onSealed?: (envelope: string) => void
      } = {},
    ) {
      sent += 1
      const intent = plainIntent(description, sent)
      const envelopes = await Promise.all(
        Object.entries(privacy ?? {}).map(async ([name, plaintext]) => [
          name,
          await seal(policyClient, plaintext),
        ]),
      )
      for (const [, envelope] of envelopes) onSealed(envelope!)
      const { result, error } = await rpc.call('createTask', {
        ...{ policy_client: policyClient, intent },
        ...(user === null ? {} : { intent_signature: await this.sign(policyClient, intent, user) }),
        ...(privacy === undefined
          ? {}
          : {
              wasm_args: stringToHex(JSON.stringify({ _privacy: Object.fromEntries(envelopes) })),
            }),
      })
      if (result === undefined) throw new Error(error?.message)
      return result
    },
  }
}

export type PrivateDataStack = Awaited<ReturnType<typeof privateDataStack>>
