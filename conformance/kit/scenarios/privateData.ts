import { confidentialDataRegistryAbi, identityRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import { type Abi, type Hex, stringToHex, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Answer } from '../../core/answer.ts'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'
import { failureText } from '../../core/failureText.ts'
import { decisionOf, responseOfResult } from '../../crypto/attestation.ts'
import { seal } from '../../crypto/envelope.ts'
import { identityDomainOf, typedLink } from '../../crypto/identity.ts'
import { lacking } from '../../targets/targetLine.ts'
import { chainTime } from './chainClock.ts'
import { fixture } from './fixtures.ts'
import { typedIntent } from './intentSignature.ts'
import { newClient, transactorOf } from './newClient.ts'
import { chainIdOf, createTask, failureOf, resultOf, transferIntent } from './requests.ts'
import {
  expectKept,
  expectUploaded,
  freshDomain,
  identityRegistryOf,
  privacyKey,
  signEnvelope,
  uploadConfidential,
  uploadIdentity,
} from './sealedData.ts'

/** A policy client of one check, whose policy decides over private data, and the accounts around it. */
export type PrivateClient = { readonly address: Hex; readonly user: PrivateKeyAccount }

/** The kinds of data of the policy, by the value of the intent. */
export const kind = { identity: 1n, confidential: 2n, ephemeral: 3n } as const

export type Outcome = 'allowed' | 'denied' | 'failed'

/** @throws the lack of the account, as a need of the check */
export function accountOf(
  t: CheckContext,
  name: 'sender' | 'stranger' | 'owner',
): PrivateKeyAccount {
  const privateKey = t.target.accounts?.[name]?.privateKey
  if (privateKey === undefined) throw lacking(`the target has no ${name} account`, name, t.target)
  return privateKeyToAccount(privateKey)
}

export const privateClient = async (t: CheckContext): Promise<PrivateClient> => ({
  address: await newClient(t, fixture.private),
  user: accountOf(t, 'sender'),
})

/** The answer to a task over one kind of data, whose intent `by` has signed. */
export async function privateTask(
  t: CheckContext,
  client: PrivateClient,
  value: bigint,
  options: {
    readonly by?: PrivateKeyAccount
    readonly ephemeral?: Readonly<Record<string, string>>
  } = {},
) {
  const intent = transferIntent(t, { value: toHex(value) })
  const domain = {
    ...t.client(fixture.private).domain,
    chainId: chainIdOf(t),
    verifyingContract: client.address,
  }
  const { by = client.user, ephemeral } = options
  return await createTask(t, {
    policy_client: client.address,
    intent,
    intent_signature: await by.signTypedData(typedIntent(domain, intent)),
    ...(ephemeral === undefined
      ? {}
      : { wasm_args: stringToHex(JSON.stringify({ _privacy: ephemeral })) }),
  })
}

/** How a task ended, in the terms of its policy. */
export function outcomeOf(answer: Awaited<ReturnType<typeof privateTask>>): Outcome {
  if (failureOf(answer) !== undefined) return 'failed'
  const { evaluationResult } = responseOfResult(resultOf(answer) as JsonObject)
  return decisionOf(evaluationResult) === true ? 'allowed' : 'denied'
}

export const privateOutcome = async (...given: Parameters<typeof privateTask>): Promise<Outcome> =>
  outcomeOf(await privateTask(...given))

/** Sends a transaction of a target's account; a registry that has no such function is untestable. */
async function sent(
  t: CheckContext,
  by: 'sender' | 'owner',
  call: {
    readonly address: Hex
    readonly abi: Abi
    readonly functionName: string
    readonly args: readonly unknown[]
  },
): Promise<void> {
  try {
    await (await transactorOf(t, by)).write(call)
  } catch (error) {
    throw new Untestable(`${call.functionName} by the ${by} of the target: ${failureText(error)}`)
  }
}

/**
 * An envelope of JSON, with the proof of its sealer (decision K16): operators that share the privacy
 * key open no other. `proven: false` for a gateway that refuses a member that the specification does not
 * have.
 */
const sealedJson = async (
  t: CheckContext,
  policyClient: Hex,
  value: JsonObject,
  proven = true,
): Promise<string> =>
  JSON.stringify(
    await seal({
      plaintext: JSON.stringify(value),
      policyClient,
      chainId: chainIdOf(t),
      recipient: await privacyKey(t),
      proven,
    }),
  )

/** The answer to an upload with a proof of the sealer; without one where that is refused. */
async function eitherUploaded(upload: (proven: boolean) => Promise<Answer>): Promise<Answer> {
  const answer = await upload(true)
  return failureOf(answer) === undefined ? answer : await upload(false)
}

/** Seals, uploads and registers identity data of the sender. */
export async function registerIdentity(
  t: CheckContext,
  { domain, fields }: { readonly domain: Hex; readonly fields: JsonObject },
): Promise<void> {
  const owner = accountOf(t, 'sender')
  const answer = await eitherUploaded(async (proven) => {
    const envelope = await sealedJson(t, owner.address, fields, proven)
    return await uploadIdentity(t, {
      identity_owner: owner.address,
      identity_owner_sig: await signEnvelope(t, owner, envelope),
      envelope,
      identity_domain: domain,
      chain_id: chainIdOf(t),
    })
  })
  const result = expectUploaded(answer)
  const { data_ref_id, gateway_signature, deadline } = result
  await sent(t, 'sender', {
    address: identityRegistryOf(t),
    abi: identityRegistryAbi,
    functionName: 'registerIdentityData',
    args: [owner.address, domain, data_ref_id, gateway_signature, BigInt(String(deadline))],
  })
}

/** Links the sender's identity to the sender as a user of the client: one signature serves both. */
export async function linkIdentity(
  t: CheckContext,
  { address, user }: PrivateClient,
  domain: Hex,
): Promise<void> {
  const registry = identityRegistryOf(t)
  const deadline = BigInt((await chainTime(t)) + 3_600)
  const nonce = await t
    .chain()
    .readContract({
      address: registry,
      abi: identityRegistryAbi,
      functionName: 'linkNonces',
      args: [user.address],
    })
    .catch((error) => {
      throw new Untestable(`the identity registry has no links: ${failureText(error)}`)
    })
  const signature = await user.signTypedData(
    typedLink(identityDomainOf(registry, chainIdOf(t)), {
      identityOwner: user.address,
      policyClient: address,
      clientUser: user.address,
      identityDomains: [domain],
      nonce,
      deadline,
    }),
  )
  await sent(t, 'sender', {
    address: registry,
    abi: identityRegistryAbi,
    functionName: 'linkIdentity',
    args: [user.address, address, user.address, [domain], deadline, signature, '0x'],
  })
}

export const revokeLink = (t: CheckContext, client: PrivateClient, domain: Hex): Promise<void> =>
  sent(t, 'sender', {
    address: identityRegistryOf(t),
    abi: identityRegistryAbi,
    functionName: 'revokeLinks',
    args: [client.address, client.user.address, [domain]],
  })

/** A blacklist of the target's owner, who is its provider and the owner of its client. */
export function blacklistOf(t: CheckContext, client: PrivateClient) {
  const registry = t.target.chain?.confidentialDataRegistry
  if (registry === undefined)
    throw lacking('the target has no confidential data registry', 'confidential-registry', t.target)
  const provider = accountOf(t, 'owner').address
  const domain = freshDomain()
  const call = (functionName: string, ...args: readonly unknown[]) =>
    sent(t, 'owner', { address: registry, abi: confidentialDataRegistryAbi, functionName, args })
  return {
    register: () => call('registerProvider', provider, 'blacklist'),
    remove: () => call('removeProvider', provider),
    grant: () => call('grant', client.address, domain),
    revoke: () => call('revoke', client.address, domain),
    use: () => call('setSource', client.address, 'blacklist', provider, domain),
    async publish(entries: readonly Hex[]): Promise<void> {
      const answer = await eitherUploaded(async (proven) => {
        const envelope = await sealedJson(t, provider, { entries }, proven)
        return await uploadConfidential(t, { provider, domain, envelope, chain_id: chainIdOf(t) })
      })
      const { data_ref_id } = expectKept(answer)
      await call('publish', domain, data_ref_id)
    },
  }
}

/** An envelope with data for one task of a client. */
export const sealedFor = (t: CheckContext, policyClient: Hex, value: JsonObject): Promise<string> =>
  sealedJson(t, policyClient, value)
