import type { Hex } from 'viem'
import { keccak256, stringToBytes, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectThat, isObject, type JsonObject, show } from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { type Envelope, seal } from '../../crypto/envelope.ts'
import { identityDomainOf, typedEnvelope } from '../../crypto/identity.ts'
import { lacking } from '../../targets/targetLine.ts'
import { expectResult, expectResultObject, expectSuccess } from '../assertions/expectAnswer.ts'
import { observed } from '../assertions/observed.ts'
import * as shape from '../assertions/shape.ts'
import { expectShape } from '../assertions/shape.ts'
import { expectForm } from './expectForm.ts'
import { chainIdOf, expectFailure, failureOf, resultOf } from './requests.ts'
import { secretsKey } from './secrets.ts'

/** What a check needs that uploads identity data, and confidential data. */
export const identityNeeds = [
  'key:read',
  'key:write',
  'chain',
  'identity-registry',
  'identity-signature-form',
] as const
export const confidentialNeeds = [
  'key:read',
  'key:write',
  'chain',
  'confidential-registry',
  'provider',
  'envelope-form',
] as const

export function identityRegistryOf(t: CheckContext): Hex {
  const registry = t.target.chain?.identityRegistry
  if (registry === undefined)
    throw lacking('the target has no identity registry', 'identity-registry', t.target)
  return registry
}

export function providerOf(t: CheckContext): Hex {
  const provider = t.target.accounts?.provider?.address
  if (provider === undefined)
    throw lacking('the target has no data provider account', 'provider', t.target)
  return provider
}

/** The key for identity and confidential data; the secrets key if there is no other. */
export async function privacyKey(t: CheckContext): Promise<string> {
  const answer = await t.once('getPrivacyPublicKey', (gateway) =>
    gateway.call('getPrivacyPublicKey', {}),
  )
  return failureOf(answer) === undefined
    ? String(expectResultObject(answer).public_key)
    : secretsKey(t)
}

let counter = 0

/** A unique number in the run, so that no two uploads are equal. */
const fresh = (): string => `${process.pid} ${Date.now()} ${counter++}`

export const freshDomain = (): Hex => keccak256(toHex(`domain ${fresh()}`))

/** Sealed data of an account; none of its text is a secret of the target. */
export const sealedData = async (
  t: CheckContext,
  account: Hex,
  change: { readonly recipient?: string } = {},
): Promise<Envelope> =>
  seal({
    plaintext: JSON.stringify({ note: `sealed data of a check, ${fresh()}` }),
    policyClient: account,
    chainId: chainIdOf(t),
    recipient: change.recipient ?? (await privacyKey(t)),
  })

/** Section 4.10: the hash of the exact bytes of the envelope. */
export const referenceOf = (envelope: string): Hex => keccak256(stringToBytes(envelope))

/** The owner's signature of an envelope string (decision K6). */
export const signEnvelope = (
  t: CheckContext,
  owner: PrivateKeyAccount,
  envelope: string,
): Promise<Hex> =>
  owner.signTypedData(
    typedEnvelope(identityDomainOf(identityRegistryOf(t), chainIdOf(t)), envelope),
  )

/** A new owner of an identity, unknown to the target. */
export const newOwner = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

export type IdentityParams = {
  readonly identity_owner: Hex
  readonly identity_owner_sig: Hex
  readonly envelope: string
  readonly identity_domain: Hex
  readonly chain_id: number
}

/** Params of an upload, signed by its owner; `write` serializes the envelope. */
export async function identityParams(
  t: CheckContext,
  owner: PrivateKeyAccount = newOwner(),
  write: (envelope: Envelope) => string = JSON.stringify,
  change: { readonly recipient?: string } = {},
): Promise<IdentityParams> {
  const envelope = write(await sealedData(t, owner.address, change))
  return {
    identity_owner: owner.address,
    identity_owner_sig: await signEnvelope(t, owner, envelope),
    envelope,
    identity_domain: freshDomain(),
    chain_id: chainIdOf(t),
  }
}

export const uploadIdentity = (
  t: CheckContext,
  params: unknown,
  options: CallOptions = {},
): Promise<Answer> =>
  t.gateway.call('uploadIdentityEncrypted', params, { key: 'write', ...options })

/** The result of an upload that must succeed. */
export function expectUploaded(answer: Answer): JsonObject {
  expectForm(answer, 'identity-signature-form', 'the upload of signed identity data')
  const result = expectResultObject(answer)
  expectShape(
    result,
    { data_ref_id: shape.bytes32, gateway_signature: shape.data, deadline: shape.unixSeconds },
    'result',
  )
  return result
}

export type UploadedIdentity = { readonly params: IdentityParams; readonly result: JsonObject }

/** One accepted upload for all checks that only read it, or expect a refusal. */
export async function acceptedIdentity(t: CheckContext): Promise<UploadedIdentity> {
  const shared = await t.once('accepted identity', async (gateway) => {
    const params = await identityParams(t)
    const answer = await gateway.call('uploadIdentityEncrypted', params, { key: 'write' })
    return { params, answer, exchange: answer.exchange }
  })
  return { params: shared.params, result: expectUploaded(shared.answer) }
}

export type ConfidentialParams = {
  readonly provider: Hex
  readonly domain: Hex
  readonly envelope: string
  readonly chain_id: number
}

export const confidentialParams = async (
  t: CheckContext,
  provider: Hex = providerOf(t),
  change: { readonly recipient?: string } = {},
): Promise<ConfidentialParams> => ({
  provider,
  domain: freshDomain(),
  envelope: JSON.stringify(await sealedData(t, provider, change)),
  chain_id: chainIdOf(t),
})

export const uploadConfidential = (
  t: CheckContext,
  params: unknown,
  options: CallOptions = {},
): Promise<Answer> => t.gateway.call('uploadConfidentialData', params, { key: 'write', ...options })

/** The result of a confidential upload that must succeed. */
export function expectKept(answer: Answer): JsonObject {
  expectForm(answer, 'envelope-form', 'the upload of an envelope')
  const result = expectSuccess(answer, 'the end of the upload')
  expectShape(result, { data_ref_id: shape.bytes32 }, 'result')
  return result
}

export async function acceptedConfidential(
  t: CheckContext,
): Promise<{ readonly params: ConfidentialParams; readonly result: JsonObject }> {
  const shared = await t.once('accepted confidential data', async (gateway) => {
    const params = await confidentialParams(t)
    const answer = await gateway.call('uploadConfidentialData', params, { key: 'write' })
    return { params, answer, exchange: answer.exchange }
  })
  return { params: shared.params, result: expectKept(shared.answer) }
}

/** The envelope that a getter returns; null for none. */
export function envelopeOf(answer: Answer): unknown {
  const result = resultOf(answer)
  return isObject(result) ? (result.envelope ?? null) : null
}

/** No data, in any form: how a getter answers an unknown reference is open (clause 4.10-38). */
export function expectNoData(t: CheckContext, answer: Answer): void {
  const refused = failureOf(answer) !== undefined
  const told = refused ? expectFailure(answer) : expectResult(answer)
  expectThat(envelopeOf(answer) === null, 'the answer to an unknown reference', 'no data', told)
  observed(t, 'unknown-reference', `an unknown reference (${show(told)})`, refused)
}
