import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectMatch, expectThat } from '../core/expect.ts'
import { type Envelope, strangersKey } from '../crypto/envelope.ts'
import { flipLast } from '../crypto/flipLast.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import type { Fault } from '../kit/scenarios/refusedMember.ts'
import { observedMember, refusedMember } from '../kit/scenarios/refusedMember.ts'
import { chainIdOf, expectFailure, failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedSecrets,
  expectStored,
  pricedOracle,
  sealedFor,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import { storeSecretsSubject } from '../kit/scenarios/secretsSubjects.ts'

/** Section 4.5: envelopes that do not open at their destination, and invalid ones. */
const needs = secretsNeeds
const twin = 'the same upload with the original envelope'

type Client = Awaited<ReturnType<typeof newClient>>

const somewhere: Client = `0x${'5c'.repeat(20)}`

/**
 * Valid secrets, sealed for a client; the change makes them unreadable or names another
 * destination.
 */
const unopened = (
  id: string,
  title: string,
  change: (t: CheckContext, right: Envelope, client: Client) => Promise<Envelope>,
  clauses: readonly string[],
): Check => ({
  id,
  title: `${title} is refused, and nothing is stored`,
  clauses: [...clauses, '4.5-09', '4.5-07'],
  level: 'must',
  // What is stored is seen in a run.
  needs: [...needs, 'oracles'],
  twin,
  run: async (t) => {
    await t.twin(() => acceptedSecrets(t))
    const client = await newClient(t)
    const right = await sealedFor(t, client, pricedOracle(t).secrets)
    const params = await storeParams(t, client)
    const envelope = JSON.stringify(await change(t, right, client))
    const failure = expectFailure(await storeSecrets(t, { ...params, envelope }))
    t.observe(`${title}: ${failure}`)
    const run = expectResultObject(await simulateWithClient(t, withClientParams(t, client)))
    expectMatch(run.error, /^No secrets found for /, 'a run after it')
  },
})

const reseal = (
  t: CheckContext,
  client: Client,
  change: { readonly recipient?: string; readonly chainId?: number },
) => sealedFor(t, client, pricedOracle(t).secrets, change)

/** A text that is not an envelope. */
const noEnvelope = (id: string, envelope: string): Check => ({
  id,
  title: `an envelope that is ${lastPart(id).replaceAll('-', ' ')} is refused`,
  clauses: ['4.5-04', '4.5-09'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const { policyClient } = await t.twin(() => acceptedSecrets(t))
    const params = await storeParams(t, policyClient)
    expectFailure(await storeSecrets(t, { ...params, envelope }))
  },
})

/** Without these two nothing can be opened; whether the others are required is open. */
const missing = (id: string, member: 'enc' | 'ciphertext'): Check =>
  unopened(
    id,
    `an envelope without ${member}`,
    async (_, right) => {
      const { [member]: __, ...rest } = right
      return rest as Envelope
    },
    ['4.5-04'],
  )

const observedWithout = (id: string, member: keyof Envelope): Check => ({
  id,
  title: `observed: an envelope without ${member}`,
  clauses: ['4.5-14'],
  level: 'may',
  needs,
  run: async (t) => {
    const { policyClient } = await acceptedSecrets(t)
    const params = await storeParams(t, policyClient)
    const { [member]: _, ...rest } = JSON.parse(params.envelope) as Envelope
    const answer = await storeSecrets(t, { ...params, envelope: JSON.stringify(rest) })
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    const failure = failureOf(answer)
    observed(t, 'answer', `an envelope without ${member}`, failure ?? 'stored', { member })
  },
})

const faults: readonly Fault[] = [
  {
    // 4.5-02: policy_client is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.client-missing',
    path: 'policy_client',
    value: undefined,
    clauses: ['4.5-02'],
  },
  {
    id: 'rpc.storeEncryptedSecrets.params.client-null',
    path: 'policy_client',
    value: null,
    clauses: ['4.5-02'],
  },
  {
    // 4.5-02: policy_client is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.client-short',
    path: 'policy_client',
    value: `0x${'11'.repeat(19)}`,
    clauses: ['4.5-02', '2.1-07'],
  },
  {
    // 4.5-03: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.data-missing',
    path: 'policy_data_address',
    value: undefined,
    clauses: ['4.5-03'],
  },
  {
    // 4.5-03: policy_data_address is required and an Address.
    // 2.1-07: An Address is 20 bytes as hex with the 0x prefix.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.data-bare',
    path: 'policy_data_address',
    value: '11'.repeat(20),
    clauses: ['4.5-03', '2.1-07'],
  },
  {
    // 4.5-03: policy_data_address is required and an Address.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.data-array',
    path: 'policy_data_address',
    value: [],
    clauses: ['4.5-03'],
  },
  {
    // 4.5-04: envelope is required: a SecureEnvelope, serialized as a JSON string.
    // 7.1-04: Invalid params are -32602.
    // 7.3-02: The message for malformed params is "Invalid request format: {details}".
    id: 'rpc.storeEncryptedSecrets.params.envelope-missing',
    path: 'envelope',
    value: undefined,
    clauses: ['4.5-04'],
  },
  {
    id: 'rpc.storeEncryptedSecrets.params.envelope-null',
    path: 'envelope',
    value: null,
    clauses: ['4.5-04'],
  },
  {
    id: 'rpc.storeEncryptedSecrets.params.envelope-object',
    path: 'envelope',
    value: { enc: '00' },
    clauses: ['4.5-04'],
  },
  {
    id: 'rpc.storeEncryptedSecrets.params.envelope-number',
    path: 'envelope',
    value: 7,
    clauses: ['4.5-04'],
  },
]

export const storeSecretsEnvelopes: readonly Check[] = [
  ...faults.map((fault) => refusedMember(storeSecretsSubject, fault)),
  unopened(
    // 4.10-34: Oracle secrets sealed to another key do not decrypt.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 4.5-07: A failure has an error string.
    'rpc.storeSecrets.envelope.another-key',
    'an envelope sealed to another key',
    async (t, _, client) => reseal(t, client, { recipient: await strangersKey() }),
    ['4.10-34'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.another-key-hidden',
    'an envelope sealed to another key that names the expected one',
    async (t, right, client) => {
      const sealed = await reseal(t, client, { recipient: await strangersKey() })
      return { ...sealed, recipient_pubkey: right.recipient_pubkey }
    },
    ['4.10-34'],
  ),
  unopened(
    // 4.5-13: An envelope is bound to its policy client and chain; under another one it is refused.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 4.5-07: A failure has an error string.
    'rpc.storeSecrets.envelope.another-client',
    'an envelope sealed for another client of the same owner',
    async (t) => sealedFor(t, await newClient(t), pricedOracle(t).secrets),
    ['4.5-13'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.another-client-hidden',
    'an envelope sealed for another client that names the expected one',
    async (t, right) => ({
      ...(await sealedFor(t, somewhere, pricedOracle(t).secrets)),
      policy_client: right.policy_client,
    }),
    ['4.5-13'],
  ),
  unopened(
    // 4.5-13: An envelope is bound to its policy client and chain; under another one it is refused.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 4.5-07: A failure has an error string.
    'rpc.storeSecrets.envelope.another-chain',
    'an envelope sealed for another chain',
    async (t, _, client) => reseal(t, client, { chainId: chainIdOf(t) + 1 }),
    ['4.5-13'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.another-chain-hidden',
    'an envelope sealed for another chain that names the expected one',
    async (t, right, client) => ({
      ...(await reseal(t, client, { chainId: chainIdOf(t) + 1 })),
      chain_id: right.chain_id,
    }),
    ['4.5-13'],
  ),
  unopened(
    // 4.5-04: envelope is required: a SecureEnvelope, serialized as a JSON string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 4.5-07: A failure has an error string.
    'rpc.storeSecrets.envelope.flipped-bit',
    'an envelope whose ciphertext was changed',
    async (_, right) => ({ ...right, ciphertext: flipLast(right.ciphertext) }),
    ['4.5-04'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.cut',
    'an envelope whose ciphertext was truncated',
    async (_, right) => ({ ...right, ciphertext: right.ciphertext.slice(0, -2) }),
    ['4.5-04'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.another-enc',
    'an envelope with the encapsulated key of another envelope',
    async (t, right, client) => ({ ...right, enc: (await reseal(t, client, {})).enc }),
    ['4.5-04'],
  ),
  unopened(
    'rpc.storeSecrets.envelope.enc-zero',
    'an envelope whose encapsulated key is a point of low order',
    async (_, right) => ({ ...right, enc: '00'.repeat(32) }),
    ['4.5-04'],
  ),
  missing('rpc.storeSecrets.envelope.without-enc', 'enc'),
  missing('rpc.storeSecrets.envelope.without-ciphertext', 'ciphertext'),
  // 4.5-04: envelope is required: a SecureEnvelope, serialized as a JSON string.
  // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
  //   decrypt is refused.
  noEnvelope('rpc.storeSecrets.no-envelope.empty', ''),
  noEnvelope('rpc.storeSecrets.no-envelope.a-word', 'envelope'),
  noEnvelope('rpc.storeSecrets.no-envelope.an-empty-object', '{}'),
  noEnvelope('rpc.storeSecrets.no-envelope.null', 'null'),
  noEnvelope('rpc.storeSecrets.no-envelope.an-array', '[]'),
  noEnvelope('rpc.storeSecrets.no-envelope.a-number', '12'),
  noEnvelope(
    'rpc.storeSecrets.no-envelope.plaintext',
    '{"PRICE_API_KEY":"in-plain-sight","PRICE_FEED_URL":"http://x"}',
  ),
  // 4.5-14: The form in which an invalid envelope is refused.
  observedWithout('rpc.storeSecrets.observed.without-policy-client', 'policy_client'),
  observedWithout('rpc.storeSecrets.observed.without-chain-id', 'chain_id'),
  observedWithout('rpc.storeSecrets.observed.without-recipient-pubkey', 'recipient_pubkey'),
  {
    // 4.5-17: Whether unknown members of an envelope are tolerated.
    id: 'rpc.storeSecrets.observed.unknown-member',
    title: 'observed: an envelope with an unknown member',
    clauses: ['4.5-17'],
    level: 'may',
    needs,
    run: async (t) => {
      const client = await newClient(t)
      const params = await storeParams(t, client)
      const envelope = JSON.stringify({ ...JSON.parse(params.envelope), note: 'a note' })
      const answer = await storeSecrets(t, { ...params, envelope })
      if (isRequired(t, 'unknown-member')) expectStored(answer)
      t.observe(`an unknown member in an envelope: ${failureOf(answer) ?? 'stored'}`)
    },
  },
  observedMember(storeSecretsSubject, {
    // 4.5-16: What an upload for addresses without a contract does.
    id: 'rpc.storeEncryptedSecrets.observed.client-without-contract',
    path: 'policy_client',
    value: somewhere,
    clauses: ['4.5-16'],
  }),
  observedMember(storeSecretsSubject, {
    id: 'rpc.storeEncryptedSecrets.observed.data-without-contract',
    path: 'policy_data_address',
    value: somewhere,
    clauses: ['4.5-16'],
  }),
]
