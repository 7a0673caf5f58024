import { anyPricedSecrets } from '../arbitraries/secrets.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { decisionOf } from '../crypto/attestation.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import { expectDecided } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import { decideWithOracles } from '../kit/scenarios/oracles.ts'
import { failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedSecrets,
  clientWithSecrets,
  expectOracleRun,
  expectPrice,
  expectStored,
  feedOf,
  pricedOracle,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'

/** Sections 4.5, 2.7 and 5.3: stored secrets, and secrets that violate their schema. */
const needs = secretsNeeds
const twin = 'the same upload with secrets that match the schema'

type Misfit = (right: Readonly<Record<string, string>>, t: CheckContext) => unknown

/** A plaintext that the schema of the price oracle rejects, and a word its details may contain. */
const misfit = (
  id: string,
  title: string,
  secrets: Misfit,
  details: RegExp,
  clauses: readonly string[],
): Check => ({
  id,
  title: `${title}: refused as Secrets upload validation failed`,
  clauses: [...clauses, '7.3-16', '4.5-07', '4.5-09', '7.3-17'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const { policyClient } = await t.twin(() => acceptedSecrets(t))
    const params = await storeParams(t, policyClient, secrets(pricedOracle(t).secrets, t))
    const result = expectOperationalFailure(
      await storeSecrets(t, params),
      /^Secrets upload validation failed: \S/,
    )
    const named = details.test(String(result.error))
    expectDecided(t, 'details', `the error of ${title}`, result.error, { named })
  },
})

/** The rules of the price oracle's schema, implemented again; JSON Schema counts code points. */
const fits = (secrets: { PRICE_API_KEY?: string; PRICE_FEED_URL?: string; OTHER?: string }) =>
  [...(secrets.PRICE_API_KEY ?? '')].length >= 8 &&
  [...(secrets.PRICE_FEED_URL ?? '')].length >= 1 &&
  secrets.OTHER === undefined

export const storeSecretsChecks: readonly Check[] = [
  {
    // 4.5-05: The answer has success, a boolean.
    // 4.5-06: A success has schema, the JSON Schema that was used.
    // 4.5-04: envelope is required: a SecureEnvelope, serialized as a JSON string.
    // 2.7-01: An oracle declares the secrets it needs as a JSON Schema document, named on chain by
    //   its content id.
    // 2.7-04: Uploaded secrets are a JSON object whose values are strings.
    // 4.10-33: The secrets key is an operator’s: oracle secrets sealed to it decrypt.
    // 5.3-01: Secrets are sealed with HPKE in the suite
    //   HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305.
    // 5.3-02: Secrets are sealed to the key from getSecretsPublicKey.
    // 5.3-03: Secrets sealed to that key are stored with storeEncryptedSecrets.
    id: 'rpc.storeSecrets.accepted',
    title: 'secrets sealed to the secrets key are stored, and the schema is returned',
    clauses: [
      '4.5-05',
      '4.5-06',
      '4.5-04',
      '2.7-01',
      '2.7-04',
      '4.10-33',
      '5.3-01',
      '5.3-02',
      '5.3-03',
    ],
    level: 'must',
    needs,
    run: async (t) => {
      const { result } = await acceptedSecrets(t)
      expectEqual(result.schema, pricedOracle(t).schema, 'result.schema')
    },
  },
  {
    // 2.7-08: The oracle reads the secrets by the names under which they were uploaded.
    // 4.7-05: The oracle receives the secrets stored for this policy client and PolicyData.
    // 4.10-33: The secrets key is an operator’s: oracle secrets sealed to it decrypt.
    // 5.3-07: The oracle reads its secrets through the get() host call.
    id: 'rpc.storeSecrets.used.oracle',
    title: 'the oracle reads the stored secrets by the names under which they were sealed',
    clauses: ['2.7-08', '4.7-05', '4.10-33', '5.3-07'],
    level: 'must',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const { policyClient } = await acceptedSecrets(t)
      expectPrice(await simulateWithClient(t, withClientParams(t, policyClient)))
    },
  },
  {
    // 5.3-04: Stored secrets are decrypted at evaluation: the oracle of a task reads them.
    // 5.3-07: The oracle reads its secrets through the get() host call.
    // 2.7-08: The oracle reads the secrets by the names under which they were uploaded.
    id: 'rpc.storeSecrets.used.task',
    title: 'a task of a client uses the secrets stored for it',
    clauses: ['5.3-04', '5.3-07', '2.7-08'],
    level: 'must',
    profiles: ['tasks', 'secrets'],
    needs: [...needs, 'sender'],
    twin: 'the same oracle, simulated for the client, which gets a price',
    run: async (t) => {
      const decide = async (policy_client: string) =>
        decisionOf((await decideWithOracles(t, fixture.priced, { policy_client })).evaluationResult)
      const { policyClient } = await acceptedSecrets(t)
      await t.twin(async () =>
        expectPrice(await simulateWithClient(t, withClientParams(t, policyClient))),
      )
      expectEqual(await decide(policyClient), true, 'the decision')
      const other = await newClient(t)
      const wrong = { ...pricedOracle(t).secrets, PRICE_API_KEY: t.canary('wrong') }
      expectStored(await storeSecrets(t, await storeParams(t, other, wrong)))
      expectEqual(await decide(other), false, 'the decision with a key that the feed rejects')
    },
  },
  misfit(
    // 2.7-06: A list of required names in the schema is enforced.
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 4.5-07: A failure has an error string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.storeSecrets.misfit.required',
    'secrets without a required name',
    ({ PRICE_API_KEY: _, ...rest }) => rest,
    /PRICE_API_KEY/,
    ['2.7-06', '2.7-03'],
  ),
  misfit(
    // 2.7-06: A list of required names in the schema is enforced.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 4.5-07: A failure has an error string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.storeSecrets.misfit.empty',
    'no secrets at all',
    () => ({}),
    /PRICE_(API_KEY|FEED_URL)/,
    ['2.7-06'],
  ),
  misfit(
    // 2.7-05: A minimum length in the schema is enforced.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 4.5-07: A failure has an error string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.storeSecrets.misfit.too-short',
    'a secret shorter than its minimum',
    (right) => ({ ...right, PRICE_API_KEY: '1234567' }),
    /PRICE_API_KEY|8/,
    ['2.7-05'],
  ),
  misfit(
    // 2.7-07: A schema without additional properties refuses names that it does not know.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 4.5-07: A failure has an error string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.storeSecrets.misfit.additional',
    'secrets with a name that is not in the schema',
    (right, t) => ({ ...right, ANOTHER_NAME: t.canary() }),
    /additional|ANOTHER_NAME/i,
    ['2.7-07'],
  ),
  misfit(
    // 2.7-06: A list of required names in the schema is enforced.
    // 2.7-07: A schema without additional properties refuses names that it does not know.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 4.5-07: A failure has an error string.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.storeSecrets.misfit.letter-case',
    'a name in another case',
    ({ PRICE_API_KEY, ...rest }) => ({ ...rest, price_api_key: PRICE_API_KEY }),
    /PRICE_API_KEY|additional/i,
    ['2.7-06', '2.7-07'],
  ),
  ...(
    [
      [
        // 4.5-11: The plaintext is a JSON object of named string values: anything else is refused.
        // 2.7-04: Uploaded secrets are a JSON object whose values are strings.
        // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
        //   failed: {details}".
        // 4.5-07: A failure has an error string.
        // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
        //   decrypt is refused.
        // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
        //   false.
        'rpc.storeSecrets.misfit.number',
        'a secret that is a number',
        (right) => ({ ...right, PRICE_API_KEY: 12345678 }),
      ],
      [
        'rpc.storeSecrets.misfit.null',
        'a secret that is null',
        (right) => ({ ...right, PRICE_API_KEY: null }),
      ],
      [
        'rpc.storeSecrets.misfit.array',
        'a plaintext that is an array',
        (right) => Object.values(right),
      ],
      [
        'rpc.storeSecrets.misfit.json-string',
        'a plaintext that is one string',
        (_, t) => JSON.stringify(`PRICE_API_KEY ${t.canary()}`),
      ],
      [
        'rpc.storeSecrets.misfit.not-json',
        'a plaintext that is not JSON',
        (_, t) => `PRICE_API_KEY=${t.canary()}`,
      ],
      ['rpc.storeSecrets.misfit.nothing', 'an empty plaintext', () => ''],
    ] as const satisfies readonly (readonly [string, string, Misfit])[]
  ).map(([id, title, secrets]) => misfit(id, title, secrets, /\S/, ['4.5-11', '2.7-04'])),
  {
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 7.3-08: The error for a pair without secrets is "No secrets found for policy_client ... and
    //   policy_data ...".
    id: 'rpc.storeSecrets.refused-changes-nothing',
    title: 'a refused upload keeps the earlier secrets, if any',
    clauses: ['2.7-03', '7.3-16', '7.3-08'],
    level: 'must',
    needs: [...needs, 'oracles'],
    twin: 'the upload before it, which is used',
    run: async (t) => {
      const policyClient = await t.twin(() => clientWithSecrets(t))
      const wrong = { ...pricedOracle(t).secrets, PRICE_API_KEY: 'short' }
      const refused = /^Secrets upload validation failed: /
      const refuse = async (client: typeof policyClient) =>
        expectOperationalFailure(
          await storeSecrets(t, await storeParams(t, client, wrong)),
          refused,
        )
      await refuse(policyClient)
      expectPrice(await simulateWithClient(t, withClientParams(t, policyClient)))
      const empty = await newClient(t)
      await refuse(empty)
      const answer = await simulateWithClient(t, withClientParams(t, empty))
      expectOperationalFailure(answer, /^No secrets found for /)
    },
  },
  {
    // 4.5-12: A later upload for the same pair replaces the earlier one.
    id: 'rpc.storeSecrets.replaced',
    title: 'a later upload replaces the earlier one, in simulations and in tasks',
    clauses: ['4.5-12'],
    level: 'should',
    profiles: ['tasks', 'secrets'],
    needs: [...needs, 'sender'],
    run: async (t) => {
      const policyClient = await clientWithSecrets(t)
      const run = () => simulateWithClient(t, withClientParams(t, policyClient))
      expectPrice(await run())
      const upload = async (key: string) => {
        const secrets = { ...pricedOracle(t).secrets, PRICE_API_KEY: key }
        expectStored(await storeSecrets(t, await storeParams(t, policyClient, secrets)))
      }
      await upload(t.canary('later'))
      const { error } = feedOf(expectOracleRun(await run()))
      expectThat(
        typeof error === 'string',
        'the output of the oracle, which now has a key that its feed refuses,',
        'the error of the feed, as text',
        error,
      )
      const response = await decideWithOracles(t, fixture.priced, { policy_client: policyClient })
      expectEqual(decisionOf(response.evaluationResult), false, 'the decision with the later key')
      await upload(pricedOracle(t).secrets.PRICE_API_KEY!)
      expectPrice(await run())
    },
  },
  {
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 2.7-05: A minimum length in the schema is enforced.
    // 2.7-06: A list of required names in the schema is enforced.
    // 2.7-07: A schema without additional properties refuses names that it does not know.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    id: 'rpc.storeSecrets.any-secrets',
    title: 'any secrets are stored exactly if they match the schema',
    clauses: ['2.7-03', '2.7-05', '2.7-06', '2.7-07', '7.3-16'],
    level: 'must',
    needs,
    twin: 'valid secrets',
    run: async (t) => {
      await t.twin(() => acceptedSecrets(t))
      const policyClient = await newClient(t)
      const any = anyPricedSecrets(t.canary('any'))
      await checkProperty(t, 'secrets', any, { runs: 20 }, async (secrets) => {
        const answer = await storeSecrets(t, await storeParams(t, policyClient, secrets))
        if (fits(secrets)) expectStored(answer)
        else expectOperationalFailure(answer, /^Secrets upload validation failed: \S/)
      })
    },
  },
  {
    // 4.5-15: What an upload for an oracle without a secrets schema does.
    id: 'rpc.storeSecrets.observed.without-schema',
    title: 'observed: an upload for an oracle that declares no secrets',
    clauses: ['4.5-15'],
    level: 'may',
    needs: [...needs, `client:${fixture.echo}`],
    run: async (t) => {
      const { policyClient } = await acceptedSecrets(t)
      const params = await storeParams(t, policyClient, { ANY_NAME: t.canary() })
      const policy_data_address = t.client(fixture.echo).policyData[0]!.address
      const answer = await storeSecrets(t, { ...params, policy_data_address })
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      t.observe(`secrets for an oracle without a schema: ${failureOf(answer) ?? 'stored'}`)
    },
  },
]
