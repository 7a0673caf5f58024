import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { identity } from 'multiformats/hashes/identity'
import { policyAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Hex } from 'viem'
import { anyProbeSecrets, type ProbeSecrets } from '../arbitraries/secrets.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../core/expect.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient, policyWith, redeployedPolicyData } from '../kit/scenarios/newClient.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import { openProbe, runProbe, secretProbe, step, tape } from '../kit/scenarios/probe.ts'
import {
  probeClient,
  probeSchema,
  probeSecretsNeeds,
  runStored,
  storeProbe,
  uploadProbe,
} from '../kit/scenarios/probeSecrets.ts'
import { expectFailure } from '../kit/scenarios/requests.ts'
import { expectOracleRun } from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'

/** Section 2.7: a schema with several keywords, and which schema applies. */
const needs = probeSecretsNeeds

const longestNote = 64

const leastOf = (t: CheckContext) => ({ TOKEN: t.canary('token') })
const mostOf = (t: CheckContext) => ({
  ...leastOf(t),
  REGION: 'eu',
  NOTE: t.canary('note').padEnd(longestNote, '-'),
  SERIAL: '0007',
})

/** One client with stored secrets, shared by all refusals: a refused upload changes nothing. */
const accepted = (t: CheckContext): Promise<Hex> =>
  t.once('accepted secrets of a probe', async () => {
    const client = await probeClient(t)
    await storeProbe(t, client, mostOf(t))
    return client
  })

const refused = /^Secrets upload validation failed: \S/

/** Secrets that differ in one member from the stored ones. */
const misfit = (
  id: string,
  title: string,
  change: (t: CheckContext) => JsonObject,
  clauses: readonly string[],
  level: Check['level'] = 'must',
): Check => ({
  id,
  title: `${title}: refused as Secrets upload validation failed, without any value`,
  clauses: [...clauses, '7.3-16', '2.7-03', '5.3-08'],
  level,
  needs,
  twin: 'the same upload with valid secrets',
  run: async (t) => {
    const client = await t.twin(() => accepted(t))
    const changed = change(t)
    const secrets = { ...mostOf(t), ...changed }
    const { error } = expectOperationalFailure(await uploadProbe(t, client, secrets), refused)
    const [member, value] = Object.entries(changed)[0]!
    // An unknown name need not be shown, nor which value is not a string.
    const named = member === 'OTHER' || typeof value !== 'string' || String(error).includes(member)
    observed(t, 'details', title, error, { named })
    if (typeof value === 'string' && value.length > 3)
      expectThat(!String(error).includes(value), 'the details', 'no value', error)
  },
})

/** The rules of the probe's schema, implemented again; JSON Schema counts code points. */
const fits = ({ TOKEN, REGION = 'eu', NOTE = '', SERIAL = '0000' }: ProbeSecrets): boolean =>
  typeof TOKEN === 'string' &&
  [...TOKEN].length >= 8 &&
  ['eu', 'us'].includes(REGION) &&
  [...NOTE].length <= 64 &&
  /^[0-9]{4}$/.test(SERIAL)

const contentOf = (t: CheckContext, name: string, what: 'getSchemaCid' | 'getPolicyCid') =>
  t.chain().readContract({
    address: t.client(name).policyAddress,
    abi: policyAbi,
    functionName: what,
  })

/** A PolicyData with another schema document, or none. */
const otherSchema = (t: CheckContext, schema: string): Promise<Hex> =>
  redeployedPolicyData(t, schema, fixture.probed)

/** A valid content id of unavailable bytes: raw, sha2-256 of all ones. */
const nowhere = 'bafkreih777777777777777777777777777777777777777777777777774'

/** A content id with an inline short schema: anyone who deploys an oracle can use one. */
const inlineSchema = (schema: object): string =>
  CID.createV1(raw.code, identity.digest(Buffer.from(JSON.stringify(schema)))).toString()

/** Each has broken a validator: by its meaning to a library, or by not terminating. */
const hostileSchemas: Readonly<Record<string, object>> = {
  async: { $async: true, required: ['A'] },
  recursive: { $ref: '#', required: ['A'] },
  prototype: { $ref: 'constructor', required: ['A'] },
  backtracking: { properties: { TOKEN: { pattern: '^([a-z-]+)+$' } }, required: ['A'] },
}

export const secretsSchema: readonly Check[] = [
  {
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 2.7-06: A list of required names in the schema is enforced.
    id: 'rpc.storeSecrets.schema.hostile',
    title: 'a hostile schema of one client affects no other client',
    clauses: ['2.7-03', '2.7-06'],
    level: 'must',
    needs,
    twin: 'an upload of another client before',
    run: async (t) => {
      const [client, other] = await Promise.all([probeClient(t), probeClient(t)])
      const least = leastOf(t)
      await t.twin(() => storeProbe(t, other, least))
      for (const [name, schema] of Object.entries(hostileSchemas)) {
        const address = await otherSchema(t, inlineSchema(schema))
        const [answers] = await Promise.all([
          Promise.all([1, 2].map(() => uploadProbe(t, client, least, address))),
          Promise.all([1, 2, 3].map(() => storeProbe(t, other, least))),
        ])
        for (const answer of answers) t.observe(`${name}: ${expectFailure(answer)}`)
      }
    },
  },
  {
    // 2.7-12: A name that the schema knows and does not require may be left out.
    // 2.7-01: An oracle declares the secrets it needs as a JSON Schema document, named on chain by
    //   its content id.
    // 4.5-06: A success has schema, the JSON Schema that was used.
    id: 'rpc.storeSecrets.schema.optional',
    title: 'optional names may be omitted or present; the schema is returned',
    clauses: ['2.7-12', '2.7-01', '4.5-06'],
    level: 'must',
    needs,
    run: async (t) => {
      const client = await probeClient(t)
      const most = mostOf(t)
      const { NOTE: _, ...some } = most
      for (const secrets of [leastOf(t), most, some]) {
        const { schema } = await storeProbe(t, client, secrets)
        expectEqual(schema, probeSchema(), 'result.schema')
      }
    },
  },
  misfit(
    // 2.7-05: A minimum length in the schema is enforced.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    'rpc.storeSecrets.schema.min-length',
    'a value one character too short',
    () => ({ TOKEN: '1234567' }),
    ['2.7-05'],
  ),
  misfit(
    // 2.7-13: Other keywords of JSON Schema are enforced too: enum, pattern, maxLength.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    'rpc.storeSecrets.schema.enum',
    'a value that is not in an enumeration',
    (t) => ({ REGION: t.canary('region') }),
    ['2.7-13'],
  ),
  misfit(
    'rpc.storeSecrets.schema.pattern',
    'a value that does not match a pattern',
    (t) => ({ SERIAL: t.canary('serial') }),
    ['2.7-13'],
  ),
  misfit(
    'rpc.storeSecrets.schema.max-length',
    'a value one character too long',
    (t) => ({ NOTE: t.canary('long note').padEnd(longestNote + 1, '-') }),
    ['2.7-13'],
  ),
  misfit(
    // 2.7-07: A schema without additional properties refuses names that it does not know.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    'rpc.storeSecrets.schema.unknown',
    'a name that is not in the schema',
    (t) => ({ OTHER: t.canary('other') }),
    ['2.7-07'],
  ),
  misfit(
    // 2.7-04: Uploaded secrets are a JSON object whose values are strings.
    // 4.5-11: The plaintext is a JSON object of named string values: anything else is refused.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    'rpc.storeSecrets.schema.object-value',
    'a value that is an object',
    () => ({ NOTE: { a: 'b' } }),
    ['2.7-04', '4.5-11'],
  ),
  misfit('rpc.storeSecrets.schema.boolean-value', 'a value that is true', () => ({ NOTE: true }), [
    '2.7-04',
    '4.5-11',
  ]),
  {
    // 2.7-13: Other keywords of JSON Schema are enforced too: enum, pattern, maxLength.
    // 2.7-12: A name that the schema knows and does not require may be left out.
    // 2.7-03: Uploaded secrets are validated against the schema before they are stored; a refused
    //   upload changes nothing.
    // 2.7-05: A minimum length in the schema is enforced.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    id: 'rpc.storeSecrets.schema.any-secrets',
    title: 'any secrets are stored exactly if they match a schema of several keywords',
    clauses: ['2.7-13', '2.7-12', '2.7-03', '2.7-05', '7.3-16'],
    level: 'must',
    needs,
    twin: 'valid secrets',
    run: async (t) => {
      const client = await probeClient(t)
      await t.twin(() => storeProbe(t, client, leastOf(t)))
      const any = anyProbeSecrets(t.canary('any'))
      await checkProperty(t, 'secrets', any, { runs: 14 }, async (secrets) => {
        const answer = await uploadProbe(t, client, secrets)
        if (!fits(secrets)) expectOperationalFailure(answer, refused)
        else expectEqual((answer.json as { result?: JsonObject }).result?.success, true, 'success')
      })
    },
  },
  {
    // 2.7-14: An upload is validated against the schema that its PolicyData names.
    // 2.7-01: An oracle declares the secrets it needs as a JSON Schema document, named on chain by
    //   its content id.
    // 2.7-09: Secrets belong to one policy_data_address: those of another are not used in its
    //   place.
    // 7.3-16: The error for secrets that do not fit their schema is "Secrets upload validation
    //   failed: {details}".
    id: 'rpc.storeSecrets.schema.of-its-address',
    title: 'the same secrets are validated against another schema if the PolicyData names another',
    clauses: ['2.7-14', '2.7-01', '2.7-09', '7.3-16'],
    level: 'must',
    needs: [...needs, `client:${fixture.echo}`],
    twin: 'the same secrets at the address whose schema they match',
    run: async (t) => {
      // Any JSON Schema that the gateway can fetch, such as that of a policy's parameters.
      const address = await otherSchema(t, await contentOf(t, fixture.echo, 'getSchemaCid'))
      const policy = await policyWith(t, [secretProbe(t), address], fixture.probed)
      const client = await newClient(t, fixture.probed, { policy })
      const least = leastOf(t)
      await t.twin(() => storeProbe(t, client, least))
      expectOperationalFailure(await uploadProbe(t, client, least, address), refused)
      const { schema } = await storeProbe(t, client, { approval: t.canary('approval') }, address)
      expectObject(schema, 'result.schema')
      expectEqual(schema.required, ['approval'], 'result.schema.required')
    },
  },
  {
    // 2.7-02: An oracle that needs no secrets names no schema, and runs without secrets.
    // 4.8-13: The listed oracles are fetched, run and merged into data.wasm.
    id: 'rpc.storeSecrets.schema.none',
    title: 'an oracle without a schema runs without secrets, alone and in a policy',
    clauses: ['2.7-02', '4.8-13'],
    level: 'must',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const address = await openProbe(t)
      expectOracleRun(await runProbe(t, step.take(1)))
      const policy_client = await probeClient(t)
      const policy_data = [{ policy_data_address: address, wasm_args: tape(step.take(1)) }]
      expectEvaluation(await simulateOracle(t, fixture.probed, { policy_client, policy_data }))
      const asClient = await runStored(t, policy_client, [step.take(1)], address)
      t.observe(`with a client: ${JSON.stringify(asClient.json).slice(0, 200)}`)
    },
  },
  {
    // 2.7-15: The error for a schema that is unavailable or invalid.
    id: 'rpc.storeSecrets.observed.no-schema',
    title: 'observed: an unavailable schema, one that is not JSON, an invalid content id',
    clauses: ['2.7-15'],
    level: 'may',
    needs,
    run: async (t) => {
      const client = await probeClient(t)
      const source = await contentOf(t, fixture.probed, 'getPolicyCid')
      for (const [name, cid] of Object.entries({ nowhere, source, 'not an id': 'not an id' })) {
        const address = await otherSchema(t, cid)
        const failure = expectFailure(await uploadProbe(t, client, leastOf(t), address))
        t.observe(`${name}: ${failure}`)
      }
      await storeProbe(t, client, leastOf(t))
    },
  },
]
