import { fill, policyFixture } from 'polgate-fixtures/catalogue.ts'
import type { Hex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import {
  expectEqual,
  expectMatch,
  expectObject,
  expectThat,
  type JsonObject,
} from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { type Envelope, seal } from '../../crypto/envelope.ts'
import { expectResultObject, expectSuccess } from '../assertions/expectAnswer.ts'
import { openPoint } from '../assertions/openPoint.ts'
import { fixture } from './fixtures.ts'
import { freshClient, freshClientNeeds } from './freshClient.ts'
import { wasmArgs } from './oracles.ts'
import { chainIdOf, publicKey } from './requests.ts'

/** What a check needs that stores secrets for a client of its own. */
export const secretsNeeds = [...freshClientNeeds, 'key:read', 'key:write'] as const

/** What a check needs that runs the price oracle with secrets of its own. */
export const pricedRunNeeds = [
  'key:read',
  'chain',
  'fixture-host',
  `client:${fixture.priced}`,
] as const

/** The price oracle as its fixture has it: the secrets that its feed accepts, and their schema. */
export const pricedOracle = (
  t: CheckContext,
): { readonly secrets: Readonly<Record<string, string>>; readonly schema: JsonObject } => {
  const [oracle] = policyFixture(t.client(fixture.priced).fixture).oracles
  const fixture_host = t.target.fixtureHostUrl
  const places = fixture_host === undefined ? {} : { fixture_host }
  return { secrets: fill(oracle!.secrets!, places), schema: oracle!.secretsSchema! }
}

/** The address of the price oracle. */
export const pricedData = (t: CheckContext): Hex => t.client(fixture.priced).policyData[0]!.address

/** The key that secrets are sealed to (section 5.3). */
export const secretsKey = async (t: CheckContext): Promise<string> => {
  const result = expectResultObject(await publicKey(t))
  expectMatch(result.public_key, /^(0x)?[0-9a-f]{64}$/i, 'public_key')
  return String(result.public_key)
}

/**
 * Addresses and short words are no secrets: an error may well name them. Nor are names of the
 * language and plain digits, which are drawn as odd values: an answer may well hold one, as an
 * address holds 12345678.
 */
const guardAll = (t: CheckContext, secrets: unknown): void => {
  if (typeof secrets !== 'object' || secrets === null) return
  for (const value of Object.values(secrets))
    if (
      typeof value === 'string' &&
      value.length >= 8 &&
      !value.includes('://') &&
      !/^[0-9a-f]*$/i.test(value) &&
      !(value in Function)
    )
      t.guard('UPLOADED_SECRET', value)
}

/** What is sealed: text as it is, a value as its JSON. */
const plaintextOf = (secrets: unknown): string =>
  typeof secrets === 'string' ? secrets : JSON.stringify(secrets)

/**
 * Seals secrets for a client, as its owner does. From here on no answer of the run may hold one of
 * them.
 */
export const sealedFor = async (
  t: CheckContext,
  policyClient: Hex,
  secrets: unknown,
  change: { readonly recipient?: string; readonly chainId?: number } = {},
): Promise<Envelope> => {
  guardAll(t, secrets)
  return seal({
    plaintext: plaintextOf(secrets),
    policyClient,
    chainId: change.chainId ?? chainIdOf(t),
    recipient: change.recipient ?? (await secretsKey(t)),
  })
}

/** Params of an upload; what is sealed is right unless said otherwise. */
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

/** The result of an upload that has to succeed. */
export const expectStored = (answer: Answer): JsonObject =>
  expectSuccess(answer, 'the end of the upload')

/** Deploys a client and stores the right secrets for it. */
export const clientWithSecrets = async (t: CheckContext): Promise<Hex> => {
  const policyClient = await freshClient(t)
  expectStored(await storeSecrets(t, await storeParams(t, policyClient)))
  return policyClient
}

/** One accepted upload for all checks that refuse something else; nobody changes its client. */
export const acceptedSecrets = async (
  t: CheckContext,
): Promise<{ readonly policyClient: Hex; readonly result: JsonObject }> => {
  const shared = await t.once('accepted secrets', async (gateway) => {
    const policyClient = await freshClient(t)
    const params = await storeParams(t, policyClient)
    const answer = await gateway.call('storeEncryptedSecrets', params, { key: 'write' })
    return { policyClient, answer, exchange: answer.exchange }
  })
  const result = await openPoint(t, 'envelopes as they are sealed here', async () =>
    expectStored(shared.answer),
  )
  return { policyClient: shared.policyClient, result }
}

/** Params of a run of the price oracle with what is stored for a client. */
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

/** Params of a run of the price oracle with secrets of the caller's own, or with none. */
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

/** `policy_data` of a run that has to succeed (section 2.6). */
export const expectOracleRun = (answer: Answer): JsonObject => {
  const result = expectSuccess(answer, 'the end of the simulation')
  expectObject(result.policy_data, 'policy_data')
  expectObject(result.policy_data.data, 'policy_data.data')
  return result.policy_data
}

/** What the price oracle said: the feed gives 2000 to its own key, and 401 to any other. */
export const feedOf = (policyData: JsonObject): JsonObject => {
  const data = policyData.data as JsonObject
  expectObject(data.price_feed, 'policy_data.data.price_feed')
  return data.price_feed
}

/** The run succeeded, and the oracle itself says that it had no secret that its feed takes. */
export const expectOwnError = (answer: Answer): void => {
  const feed = feedOf(expectOracleRun(answer))
  expectThat(typeof feed.error === 'string', 'what the oracle says', 'its own error', feed)
}

/** The run succeeded and the feed took the oracle's secret. */
export const expectPrice = (answer: Answer): JsonObject => {
  const policyData = expectOracleRun(answer)
  expectEqual(feedOf(policyData).price, 2000, 'the price')
  return policyData
}
