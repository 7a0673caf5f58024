import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat } from '../core/expect.ts'
import { strangersKey } from '../crypto/envelope.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { chainIdOf, expectPrivacyKey, failureOf } from '../kit/scenarios/requests.ts'
import {
  expectOwnError,
  expectPrice,
  ownSecrets,
  policyDataParams,
  pricedOracle,
  pricedRunNeeds,
  sealedFor,
  secretsKey,
  simulatePolicyData,
} from '../kit/scenarios/secrets.ts'

/** Section 4.6: secrets of the caller that do not decrypt. */

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The result for unreadable secrets: a failure, or a run of the oracle without secrets. */
const unreadable = (
  id: string,
  title: string,
  make: (t: CheckContext) => Promise<string>,
): Check => ({
  id,
  title: `${title} never reach the oracle`,
  clauses: ['4.6-11', '4.6-13'],
  level: 'must',
  needs: pricedRunNeeds,
  twin: 'the same run with secrets that decrypt',
  run: async (t) => {
    await t.twin(async () =>
      expectPrice(
        await simulatePolicyData(t, policyDataParams(t, { secrets: await ownSecrets(t) })),
      ),
    )
    const answer = await simulatePolicyData(t, policyDataParams(t, { secrets: await make(t) }))
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    const failure = failureOf(answer)
    t.observe(`${title}: ${failure ?? 'the oracle is run without'}`)
    if (failure === undefined) expectOwnError(answer)
  },
})

export const unreadableSecrets: readonly Check[] = [
  {
    // 4.6-11: Secrets that do not decrypt never reach the oracle.
    // 4.10-34: Oracle secrets sealed to another key do not decrypt.
    id: 'rpc.simulatePolicyData.secrets.privacy-key',
    title: 'data sealed to the privacy key never reaches the oracle if it is a different key',
    clauses: ['4.6-11', '4.10-34'],
    level: 'must',
    profiles: ['simulation', 'private-data'],
    needs: pricedRunNeeds,
    twin: 'the same run with secrets sealed to the secrets key',
    run: async (t) => {
      const run = async (recipient?: string) => {
        const client = t.client(fixture.priced).policyClient
        const change = recipient === undefined ? {} : { recipient }
        const envelope = await sealedFor(t, client, pricedOracle(t).secrets, change)
        const secrets = base64(JSON.stringify(envelope))
        return simulatePolicyData(t, policyDataParams(t, { secrets }))
      }
      await t.twin(async () => expectPrice(await run()))
      const served = expectPrivacyKey(await t.gateway.call('getPrivacyPublicKey', {}))
      const bare = (key: unknown) => String(key).toLowerCase().replace(/^0x/, '')
      const recipient = bare(served?.public_key)
      if (served === undefined || recipient === bare(await secretsKey(t)))
        return t.observe('the privacy key is not served, or is the secrets key')
      const answer = await run(recipient)
      const failure = failureOf(answer)
      t.observe(`sealed to the privacy key: ${failure ?? 'the oracle is run without'}`)
      if (failure === undefined) expectOwnError(answer)
    },
  },
  unreadable(
    // 4.6-11: Secrets that do not decrypt never reach the oracle.
    // 4.6-13: How secrets that do not decrypt are reported.
    'rpc.simulatePolicyData.secrets.no-base64',
    'secrets that are not base64',
    async () => '*** no base64 ***',
  ),
  unreadable(
    'rpc.simulatePolicyData.secrets.no-envelope',
    'secrets that are not an envelope',
    async () => base64('no envelope'),
  ),
  unreadable('rpc.simulatePolicyData.secrets.empty', 'secrets that are an empty object', async () =>
    base64('{}'),
  ),
  // The plaintext itself: a gateway that accepts it gets a price.
  unreadable('rpc.simulatePolicyData.secrets.plaintext', 'unsealed secrets', async (t) =>
    base64(JSON.stringify(pricedOracle(t).secrets)),
  ),
  unreadable(
    'rpc.simulatePolicyData.secrets.another-key',
    'secrets sealed to another key',
    async (t) => {
      const client = t.client(fixture.priced).policyClient
      const recipient = await strangersKey()
      const envelope = await sealedFor(t, client, pricedOracle(t).secrets, { recipient })
      return base64(JSON.stringify(envelope))
    },
  ),
  unreadable(
    // 4.6-11: Secrets that do not decrypt never reach the oracle.
    // 4.6-13: How secrets that do not decrypt are reported.
    'rpc.simulatePolicyData.secrets.another-chain',
    'secrets sealed for another chain',
    async (t) => {
      const client = t.client(fixture.priced).policyClient
      const chainId = chainIdOf(t) + 1
      const envelope = await sealedFor(t, client, pricedOracle(t).secrets, { chainId })
      return base64(JSON.stringify(envelope))
    },
  ),
  unreadable(
    // 4.6-11: Secrets that do not decrypt never reach the oracle.
    // 4.6-13: How secrets that do not decrypt are reported.
    'rpc.simulatePolicyData.secrets.changed',
    'secrets whose ciphertext was changed',
    async (t) => {
      const client = t.client(fixture.priced).policyClient
      const envelope = await sealedFor(t, client, pricedOracle(t).secrets)
      const { ciphertext } = envelope
      const changed = { ...envelope, ciphertext: `${'00'.repeat(8)}${ciphertext.slice(16)}` }
      return base64(JSON.stringify(changed))
    },
  ),
]
