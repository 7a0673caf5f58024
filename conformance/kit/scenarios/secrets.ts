import { fill, policyFixture } from 'polgate-fixtures/catalogue.ts'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import type { Hex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import { canariesIn } from '../../core/canary.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { type Envelope, seal } from '../../crypto/envelope.ts'
import { expectSuccess } from '../assertions/expectAnswer.ts'
import { expectForm } from './expectForm.ts'
import { fixture } from './fixtures.ts'
import { newClient, newClientNeeds } from './newClient.ts'
import { wasmArgs } from './oracles.ts'
import { chainIdOf, expectPublicKey, publicKey } from './requests.ts'

/** What a check needs that stores secrets for a new client. */
export const secretsNeeds = [...newClientNeeds, 'key:read', 'key:write', 'envelope-form'] as const

/** What a check needs that runs the price oracle with its own secrets. */
export const pricedRunNeeds = [
  'key:read',
  'envelope-form',
  'chain',
  'fixture-host',
  'oracles',
  `client:${fixture.priced}`,
] as const

/** The price oracle of its fixture: the secrets that its feed accepts, and their schema. */
export function pricedOracle(t: CheckContext): {
  readonly secrets: Readonly<Record<string, string>>
  readonly schema: JsonObject
} {
  const [oracle] = policyFixture(t.client(fixture.priced).fixture).oracles
  const fixture_host = t.target.fixtureHostUrl
  const places = fixture_host === undefined ? {} : { fixture_host }
  return { secrets: fill(oracle!.secrets!, places), schema: oracle!.secretsSchema! }
}

/** The address of the price oracle. */
export const pricedData = (t: CheckContext): Hex => t.client(fixture.priced).policyData[0]!.address

/** The recipient key of secrets (section 5.3). */
export async function secretsKey(t: CheckContext): Promise<string> {
  return String(expectPublicKey(await publicKey(t)).public_key)
}

/** What of a plaintext no response may contain, by the name that reports show. */
export const guardedIn = (plaintext: string): readonly (readonly [string, string])[] => [
  ...canariesIn(plaintext).map((value) => ['UPLOADED_SECRET', value] as const),
  ...(plaintext.includes(fixtureApiKey) ? [['SVC_KEY_OF_THE_FEED', fixtureApiKey] as const] : []),
]

/** The plaintext: a text unchanged, any other value as its JSON. */
const plaintextOf = (secrets: unknown): string =>
  typeof secrets === 'string' ? secrets : JSON.stringify(secrets)

/**
 * Seals secrets for a client, as its owner does. From here on no response of the run may contain
 * their canaries.
 */
export async function sealedFor(
  t: CheckContext,
  policyClient: Hex,
  secrets: unknown,
  change: { readonly recipient?: string; readonly chainId?: number } = {},
): Promise<Envelope> {
  const plaintext = plaintextOf(secrets)
  for (const [name, value] of guardedIn(plaintext)) t.guard(name, value)
  return seal({
    plaintext,
    policyClient,
    chainId: change.chainId ?? chainIdOf(t),
    recipient: change.recipient ?? (await secretsKey(t)),
  })
}

/** Params of an upload; the sealed content is valid by default. */
export const storeParams = async (
  t: CheckContext,
  policyClient: Hex,
  secrets: unknown = pricedOracle(t).secrets,
): Promise<{ policy_client: Hex; policy_data_address: Hex; envelope: string }> => ({
  policy_client: policyClient,
  policy_data_address: pricedData(t),
  envelope: JSON.stringify(await sealedFor(t, policyClient, secrets)),
})

export const storeSecrets = (
  t: CheckContext,
  params: unknown,
  options: CallOptions = {},
): Promise<Answer> => t.gateway.call('storeEncryptedSecrets', params, { key: 'write', ...options })

/** The result of an upload that must succeed. */
export function expectStored(answer: Answer): JsonObject {
  expectForm(answer, 'envelope-form', 'the upload of an envelope')
  return expectSuccess(answer, 'the end of the upload')
}

/** Deploys a client and stores valid secrets for it. */
export async function clientWithSecrets(t: CheckContext): Promise<Hex> {
  const policyClient = await newClient(t)
  expectStored(await storeSecrets(t, await storeParams(t, policyClient)))
  return policyClient
}

/** One accepted upload for all checks that expect a refusal; nothing changes its client. */
export async function acceptedSecrets(
  t: CheckContext,
): Promise<{ readonly policyClient: Hex; readonly result: JsonObject }> {
  const shared = await t.once('accepted secrets', async (gateway) => {
    const policyClient = await newClient(t)
    const params = await storeParams(t, policyClient)
    const answer = await gateway.call('storeEncryptedSecrets', params, { key: 'write' })
    return { policyClient, answer, exchange: answer.exchange }
  })
  return { policyClient: shared.policyClient, result: expectStored(shared.answer) }
}

/** Params of a run of the price oracle with the secrets stored for a client. */
export const withClientParams = (t: CheckContext, policyClient: Hex): Record<string, unknown> => ({
  policy_data_address: pricedData(t),
  policy_client: policyClient,
  wasm_args: wasmArgs(t, fixture.priced),
})

export const simulateWithClient = (
  t: CheckContext,
  params: unknown,
  options?: CallOptions,
): Promise<Answer> => t.gateway.call('simulatePolicyDataWithClient', params, options)

/** Params of a run of the price oracle with given secrets, or none. */
export const policyDataParams = (
  t: CheckContext,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  policy_data_address: pricedData(t),
  chain_id: chainIdOf(t),
  wasm_args: wasmArgs(t, fixture.priced),
  ...overrides,
})

/** `secrets` of such a run: base64 of the envelope string (decision K8). */
export const ownSecrets = async (
  t: CheckContext,
  secrets: unknown = pricedOracle(t).secrets,
  policyClient: Hex = t.client(fixture.priced).policyClient,
): Promise<string> =>
  Buffer.from(JSON.stringify(await sealedFor(t, policyClient, secrets))).toString('base64')

export const simulatePolicyData = (
  t: CheckContext,
  params: unknown,
  options?: CallOptions,
): Promise<Answer> => t.gateway.call('simulatePolicyData', params, options)

/** `policy_data` of a run that must succeed (section 2.6). */
export function expectOracleRun(answer: Answer): JsonObject {
  const result = expectSuccess(answer, 'the end of the simulation')
  expectObject(result.policy_data, 'policy_data')
  expectObject(result.policy_data.data, 'policy_data.data')
  return result.policy_data
}

/** The output of the price oracle: the feed returns 2000 for its own key, and 401 for any other. */
export function feedOf(policyData: JsonObject): JsonObject {
  const data = policyData.data as JsonObject
  expectObject(data.price_feed, 'policy_data.data.price_feed')
  return data.price_feed
}

/** The run succeeded, but the oracle reports that it has no secret that its feed accepts. */
export function expectOwnError(answer: Answer): void {
  const feed = feedOf(expectOracleRun(answer))
  expectThat(typeof feed.error === 'string', 'the output of the oracle', 'its own error', feed)
}

/** The run succeeded and the feed accepted the oracle's secret. */
export function expectPrice(answer: Answer): JsonObject {
  const policyData = expectOracleRun(answer)
  expectEqual(feedOf(policyData).price, 2000, 'the price')
  return policyData
}
