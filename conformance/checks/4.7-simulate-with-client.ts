import { policyDataAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Hex } from 'viem'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat, isObject } from '../core/expect.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import { lowered } from '../kit/assertions/hex.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient, policyWith, redeployedPolicyData } from '../kit/scenarios/newClient.ts'
import { oracleParams, wasmArgs } from '../kit/scenarios/oracles.ts'
import { failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedSecrets,
  expectOracleRun,
  expectPrice,
  expectStored,
  feedOf,
  ownSecrets,
  policyDataParams,
  pricedData,
  secretsNeeds,
  simulatePolicyData,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import { simulateWithClientSubject } from '../kit/scenarios/secretsSubjects.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'

/** Sections 4.7 and 2.7: the stored secrets of a pair of client and PolicyData. */
const needs = [...secretsNeeds, 'oracles'] as const
const twin = 'the same run for the pair whose secrets are stored'

const noSecrets = /^No secrets found for policy_client \S*.*policy_data \S/

/** The same component and the same schema at a new address. */
async function redeployed(t: CheckContext): Promise<Hex> {
  const schema = await t.chain().readContract({
    address: pricedData(t),
    abi: policyDataAbi,
    functionName: 'getSecretsSchemaCid',
  })
  return redeployedPolicyData(t, schema)
}

/** A simulation of the priced policy for a client with these PolicyData, in this order. */
function simulatePolicyWith(t: CheckContext, client: Hex, data: readonly Hex[]) {
  const params = oracleParams(t, fixture.priced, {
    policy_client: client,
    policy_data: data.map((policy_data_address) => ({
      policy_data_address,
      wasm_args: wasmArgs(t, fixture.priced),
    })),
  })
  return t.gateway.call('simulatePolicy', params)
}

/** The response counts the missing secrets, and lists these. */
async function expectMissing(
  t: CheckContext,
  client: Hex,
  listed: readonly Hex[],
  missing: readonly Hex[],
): Promise<void> {
  const result = expectOperationalFailure(
    await simulatePolicyWith(t, client, listed),
    new RegExp(`^Missing secrets for ${missing.length} PolicyData contract\\(s\\)`),
  )
  const details = result.error_details
  const entries = isObject(details) ? (details.missing_secrets as unknown) : undefined
  expectThat(Array.isArray(entries), 'missing_secrets', 'an array', details)
  const lower = (addresses: readonly unknown[]) => addresses.map(lowered).sort()
  expectEqual(
    lower(entries.map((entry) => (entry as { policy_data_address?: unknown }).policy_data_address)),
    lower(missing),
    'the addresses of missing_secrets',
  )
}

export const simulateWithClientChecks: readonly Check[] = [
  {
    // 4.7-06: The response has the shape of that of simulatePolicyData.
    // 4.7-05: The oracle receives the secrets stored for this policy client and PolicyData.
    // 2.6-01: policy_data.specifier is the content id of the component.
    // 2.6-02: policy_data.data is the output of the oracle, an object.
    // 2.6-03: policy_data.timestamp is a number.
    id: 'rpc.simulateWithClient.as-own-secrets',
    title:
      'the response has the format of simulatePolicyData, and the same output for the same secrets',
    clauses: ['4.7-06', '4.7-05', '2.6-01', '2.6-02', '2.6-03'],
    level: 'must',
    needs,
    run: async (t) => {
      const { policyClient } = await acceptedSecrets(t)
      const stored = expectPrice(await simulateWithClient(t, withClientParams(t, policyClient)))
      const secrets = await ownSecrets(t)
      const own = expectPrice(await simulatePolicyData(t, policyDataParams(t, { secrets })))
      expectEqual(Object.keys(stored).sort(), Object.keys(own).sort(), 'members of policy_data')
      expectEqual(stored.specifier, own.specifier, 'policy_data.specifier')
      expectEqual(stored.specifier, t.client(fixture.priced).policyData[0]!.wasmCid, 'specifier')
      expectThat(Number.isFinite(stored.timestamp), 'timestamp', 'a number', stored.timestamp)
    },
  },
  {
    // 4.7-04: wasm_args is optional and Data; it is the input of the oracle.
    // 4.7-05: The oracle receives the secrets stored for this policy client and PolicyData.
    id: 'rpc.simulateWithClient.wasm-args',
    title: 'wasm_args is the input of the oracle: another symbol, another price',
    clauses: ['4.7-04', '4.7-05'],
    level: 'must',
    needs,
    run: async (t) => {
      const { policyClient } = await acceptedSecrets(t)
      const wasm_args = wasmArgs(t, fixture.priced, { symbol: 'BTC' })
      const params = { ...withClientParams(t, policyClient), wasm_args }
      const feed = feedOf(expectOracleRun(await simulateWithClient(t, params)))
      expectEqual([feed.symbol, feed.price], ['BTC', 60_000], 'the price of BTC')
    },
  },
  {
    // 7.3-08: The error for a pair without secrets is "No secrets found for policy_client ... and
    //   policy_data ...".
    // 4.7-05: The oracle receives the secrets stored for this policy client and PolicyData.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    id: 'rpc.simulateWithClient.none-stored',
    title: 'a pair without secrets is reported, with both addresses',
    clauses: ['7.3-08', '4.7-05', '7.3-17'],
    level: 'must',
    needs,
    twin,
    run: async (t) => {
      await t.twin(() => simulateWithClientSubject.accepted(t))
      const client = await newClient(t)
      const answer = await simulateWithClient(t, withClientParams(t, client))
      const { error } = expectOperationalFailure(answer, noSecrets)
      const text = String(error).toLowerCase()
      for (const address of [client, pricedData(t)])
        expectThat(text.includes(address.toLowerCase()), 'the message', address, error)
    },
  },
  {
    // 2.7-10: A redeployed PolicyData has a new address and has no secrets until they are uploaded
    //   again.
    // 2.7-09: Secrets belong to one policy_data_address: those of another are not used in its
    //   place.
    // 7.3-08: The error for a pair without secrets is "No secrets found for policy_client ... and
    //   policy_data ...".
    id: 'rpc.simulateWithClient.redeployed',
    title: 'a redeployed PolicyData has no secrets until they are uploaded to its address',
    clauses: ['2.7-10', '2.7-09', '7.3-08'],
    level: 'must',
    needs,
    twin: 'the same run at the address for which they are stored',
    run: async (t) => {
      const policy_data_address = await redeployed(t)
      const policy = await policyWith(t, [pricedData(t), policy_data_address])
      const client = await newClient(t, fixture.priced, { policy })
      expectStored(await storeSecrets(t, await storeParams(t, client)))
      const run = (policy_data_address: Hex) =>
        simulateWithClient(t, { ...withClientParams(t, client), policy_data_address })
      await t.twin(async () => expectPrice(await run(pricedData(t))))
      expectOperationalFailure(await run(policy_data_address), noSecrets)
      const upload = { ...(await storeParams(t, client)), policy_data_address }
      expectStored(await storeSecrets(t, upload))
      expectPrice(await run(policy_data_address))
    },
  },
  {
    // 4.8-19: Missing secrets of several PolicyData are counted and listed one by one.
    // 2.7-11: With several oracles the secrets of each are uploaded to its own address.
    // 2.7-09: Secrets belong to one policy_data_address: those of another are not used in its
    //   place.
    // 7.3-07: The error for missing secrets is "Missing secrets for N PolicyData contract(s)", with
    //   error_details.
    // 2.6-15: error_details.missing_secrets lists policy_data_address and has_secrets_schema.
    // 4.8-17: error_details lists the missing secrets.
    id: 'rpc.simulatePolicy.secrets.counted',
    title: 'missing secrets of two oracles are counted and listed; each is uploaded to its address',
    clauses: ['4.8-19', '2.7-11', '2.7-09', '7.3-07', '2.6-15', '4.8-17'],
    level: 'must',
    profiles: ['secrets'],
    needs: [...needs, 'sender'],
    twin: 'the same simulations after both have secrets',
    run: async (t) => {
      const first = pricedData(t)
      const second = await redeployed(t)
      const both = [first, second]
      const client = await newClient(t, fixture.priced, { policy: await policyWith(t, both) })
      await expectMissing(t, client, both, both)
      expectStored(await storeSecrets(t, await storeParams(t, client)))
      await expectMissing(t, client, both, [second])
      await expectMissing(t, client, [second], [second])
      const upload = { ...(await storeParams(t, client)), policy_data_address: second }
      expectStored(await storeSecrets(t, upload))
      await t.twin(async () => {
        // One by one: both have the same pack id (clause 1-54).
        for (const address of both) {
          const evaluation = expectEvaluation(await simulatePolicyWith(t, client, [address]))
          expectEqual(evaluation.result, true, 'the result')
        }
        const failure = failureOf(await simulatePolicyWith(t, client, both)) ?? ''
        expectThat(!/Missing secrets/i.test(failure), 'the failure', 'no missing secrets', failure)
      })
    },
  },
  {
    // 4.7-08: The response for an oracle without a secrets schema.
    id: 'rpc.simulateWithClient.observed.no-schema',
    title: 'observed: an oracle that declares no secrets',
    clauses: ['4.7-08'],
    level: 'may',
    needs: [...needs, `client:${fixture.echo}`],
    run: async (t) => {
      await acceptedSecrets(t)
      const { policyClient, policyData } = t.client(fixture.echo)
      const answer = await simulateWithClient(t, {
        policy_client: policyClient,
        policy_data_address: policyData[0]!.address,
        wasm_args: wasmArgs(t, fixture.echo),
      })
      const failure = failureOf(answer)
      if (failure === undefined) expectOracleRun(answer)
      else expectMatch(failure, /^No secrets found for |\S/, 'the failure')
      t.observe(`an oracle without a secrets schema: ${failure ?? 'it is run'}`)
    },
  },
  {
    // 4.7-09: The response for a PolicyData that the client does not use.
    id: 'rpc.simulateWithClient.observed.another-policy',
    title: 'observed: a PolicyData that the policy of the client does not list',
    clauses: ['4.7-09'],
    level: 'may',
    needs: [...needs, `client:${fixture.simple}`],
    run: async (t) => {
      await acceptedSecrets(t)
      const client = await newClient(t, fixture.simple)
      const upload = failureOf(await storeSecrets(t, await storeParams(t, client)))
      if (upload !== undefined)
        return t.observe(`secrets for a PolicyData of another policy: ${upload}`)
      const answer = await simulateWithClient(t, withClientParams(t, client))
      const failure = failureOf(answer)
      if (failure === undefined) expectPrice(answer)
      t.observe(`a PolicyData of another policy: ${failure ?? 'it is run'}`)
    },
  },
]
