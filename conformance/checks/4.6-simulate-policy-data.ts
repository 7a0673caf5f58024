import fc from 'fast-check'
import { toHex } from 'viem'
import { anyJson } from '../arbitraries/json.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat, type JsonObject } from '../core/expect.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import { expectDecided } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import { chainIdOf, expectFailure, failureOf } from '../kit/scenarios/requests.ts'
import {
  clientWithSecrets,
  expectOracleRun,
  expectOwnError,
  expectPrice,
  ownSecrets,
  policyDataParams,
  pricedOracle,
  pricedRunNeeds,
  secretsNeeds,
  simulatePolicyData,
  simulateWithClient,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import { simulatePolicyDataSubject } from '../kit/scenarios/secretsSubjects.ts'

/** Section 4.6: one oracle, with or without secrets of the caller. */
const { needs } = simulatePolicyDataSubject

const dataOf = (t: CheckContext, name: string) => t.client(name).policyData[0]!

const runOf = (t: CheckContext, name: string, overrides: Record<string, unknown> = {}) =>
  simulatePolicyData(t, {
    policy_data_address: dataOf(t, name).address,
    chain_id: chainIdOf(t),
    wasm_args: '0x7b7d',
    ...overrides,
  })

/** An oracle that cannot run: HTTP 200, success false, the message of section 7.3. */
const broken = (
  id: string,
  title: string,
  client: string,
  message: RegExp,
  clauses: readonly string[],
): Check => ({
  id,
  title,
  clauses: [...clauses, '4.6-07', '7.3-17'],
  level: 'must',
  needs: [...needs, `client:${client}`],
  twin: 'an oracle that runs',
  run: async (t) => {
    await t.twin(() => simulatePolicyDataSubject.accepted(t))
    const result = expectOperationalFailure(await runOf(t, client), message)
    expectDecided(t, 'error', 'the error', result.error)
    expectShape(result, { policy_data: shape.optional(shape.isNull) }, 'result')
    await simulatePolicyDataSubject.accepted(t)
  },
})

export const simulatePolicyDataChecks: readonly Check[] = [
  {
    // 2.6-01: policy_data.specifier is the content id of the component.
    // 2.6-02: policy_data.data is the output of the oracle, an object.
    // 2.6-03: policy_data.timestamp is a number.
    // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 4.6-06: The answer has success, and policy_data on success.
    // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
    //   contract.
    id: 'rpc.simulatePolicyData.run',
    title: 'an oracle runs with its input: specifier, data and timestamp are returned',
    clauses: ['2.6-01', '2.6-02', '2.6-03', '4.6-04', '4.6-05', '4.6-06', '1-10'],
    level: 'must',
    needs,
    run: async (t) => {
      const answer = await runOf(t, fixture.echo, { wasm_args: toHex('{"some":[1,"two",null]}') })
      const policyData = expectOracleRun(answer)
      const finite: shape.Rule = (value) => (Number.isFinite(value) ? undefined : 'a number')
      expectShape(
        policyData,
        { specifier: shape.oneOf(dataOf(t, fixture.echo).wasmCid), timestamp: finite },
        'policy_data',
      )
      const { echo } = policyData.data as JsonObject
      expectEqual(echo, { some: [1, 'two', null] }, 'policy_data.data')
      t.observe(
        `policy_data.timestamp is in ${Number(policyData.timestamp) > 1e11 ? 'milliseconds' : 'seconds'}`,
      )
    },
  },
  {
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 2.1-10: wasm_args is the hex encoding of a UTF-8 JSON string.
    // 2.6-02: policy_data.data is the output of the oracle, an object.
    id: 'rpc.simulatePolicyData.any-json',
    title: 'any JSON object as wasm_args reaches the oracle and is returned',
    clauses: ['4.6-05', '2.1-10', '2.6-02'],
    level: 'must',
    needs,
    run: async (t) => {
      const inputs = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }))
      await checkProperty(t, 'inputs', inputs, { runs: 15 }, async (input) => {
        const answer = await runOf(t, fixture.echo, { wasm_args: toHex(JSON.stringify(input)) })
        const { echo } = expectOracleRun(answer).data as JsonObject
        expectEqual(echo, JSON.parse(JSON.stringify(input)), 'policy_data.data')
      })
    },
  },
  {
    // 4.6-05: wasm_args is optional and Data; it is the input of the oracle.
    // 7.4-05: No request causes an internal error: 500 is for faults of the server.
    id: 'rpc.simulatePolicyData.any-input',
    title: 'wasm_args that are not a JSON object give a response without a server error',
    clauses: ['4.6-05', '7.4-05'],
    level: 'must',
    needs,
    twin: 'a valid input, before and after',
    run: async (t) => {
      await t.twin(() => simulatePolicyDataSubject.accepted(t))
      const deep = toHex(`${'['.repeat(400)}${']'.repeat(400)}`)
      const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => toHex(array))
      const texts = anyJson().map((value) => toHex(JSON.stringify(value)))
      const inputs = fc.oneof(
        { weight: 4, arbitrary: bytes },
        { weight: 4, arbitrary: texts },
        { weight: 1, arbitrary: fc.constant(deep) },
      )
      await checkProperty(t, 'inputs', inputs, { runs: 25 }, async (wasm_args) => {
        const answer = await runOf(t, fixture.echo, { wasm_args })
        expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
        if (failureOf(answer) === undefined) expectOracleRun(answer)
      })
      expectOracleRun(await runOf(t, fixture.echo, { wasm_args: toHex('{}') }))
    },
  },
  {
    // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
    // 4.10-33: The secrets key is an operator’s: oracle secrets sealed to it decrypt.
    // 5.3-01: Secrets are sealed with HPKE in the suite
    //   HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305.
    // 5.3-07: The oracle reads its secrets through the get() host call.
    id: 'rpc.simulatePolicyData.own-secrets',
    title: 'secrets of the caller reach the oracle',
    clauses: ['4.6-04', '4.10-33', '5.3-01', '5.3-07'],
    level: 'must',
    needs: pricedRunNeeds,
    run: async (t) => {
      const secrets = await ownSecrets(t)
      expectPrice(await simulatePolicyData(t, policyDataParams(t, { secrets })))
      const wrong = await ownSecrets(t, {
        ...pricedOracle(t).secrets,
        PRICE_API_KEY: t.canary('wrong'),
      })
      expectOwnError(await simulatePolicyData(t, policyDataParams(t, { secrets: wrong })))
    },
  },
  {
    // 4.6-10: Stored secrets of policy clients are not used.
    // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
    id: 'rpc.simulatePolicyData.no-stored-secrets',
    title: 'without secrets of the caller the oracle has none, even if clients have stored some',
    clauses: ['4.6-10', '4.6-04'],
    level: 'must',
    profiles: ['secrets'],
    needs: [...secretsNeeds, 'oracles'],
    run: async (t) => {
      const policyClient = await clientWithSecrets(t)
      expectPrice(await simulateWithClient(t, withClientParams(t, policyClient)))
      const answer = await simulatePolicyData(t, policyDataParams(t))
      // The oracle reports the missing secret itself, or the run fails.
      const failure = failureOf(answer)
      if (failure === undefined) expectOwnError(answer)
      else expectMatch(failure, /secret|WASM execution failed/i, 'the error')
      t.observe(`the price oracle without secrets: ${failure ?? 'an error of the oracle'}`)
    },
  },
  {
    // 4.6-09: Secrets sent with a simulation are not stored.
    id: 'rpc.simulatePolicyData.not-stored',
    title: 'secrets sent with a simulation are not stored',
    clauses: ['4.6-09'],
    level: 'should',
    profiles: ['secrets'],
    needs: [...secretsNeeds, 'oracles'],
    run: async (t) => {
      const client = await newClient(t)
      const secrets = await ownSecrets(t, pricedOracle(t).secrets, client)
      expectPrice(await simulatePolicyData(t, policyDataParams(t, { secrets })))
      const after = await simulateWithClient(t, withClientParams(t, client))
      expectOperationalFailure(after, /^No secrets found for /)
    },
  },
  {
    // 4.6-08: Ownership is not checked.
    // 5.2-05: simulatePolicyData does not check ownership.
    id: 'rpc.simulatePolicyData.any-owner',
    title: 'ownership is not required: the key of a stranger runs the oracle of any client',
    clauses: ['4.6-08', '5.2-05'],
    level: 'must',
    needs: [...pricedRunNeeds, 'key:stranger', `client:${fixture.ownerless}`],
    run: async (t) => {
      for (const name of [fixture.priced, fixture.ownerless]) {
        const policy_data_address = dataOf(t, name).address
        const secrets = await ownSecrets(t)
        const params = policyDataParams(t, { policy_data_address, secrets })
        expectPrice(await simulatePolicyData(t, params, { key: 'stranger' }))
      }
    },
  },
  {
    // 4.6-03: chain_id is required and a Number; a chain that cannot be resolved is refused.
    id: 'rpc.simulatePolicyData.another-chain',
    title: 'an unknown chain is refused',
    clauses: ['4.6-03'],
    level: 'must',
    needs,
    twin: 'the same run on the chain of the target',
    run: async (t) => {
      await t.twin(() => simulatePolicyDataSubject.accepted(t))
      const failure = expectFailure(await runOf(t, fixture.echo, { chain_id: 987_654_321_012 }))
      t.observe(`an unknown chain: ${failure}`)
    },
  },
  broken(
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    // 4.6-07: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.simulatePolicyData.fails.trap',
    'an oracle that traps is WASM execution failed',
    fixture.trapping,
    /^WASM execution failed: \S/,
    ['7.3-09'],
  ),
  broken(
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    // 4.6-07: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.simulatePolicyData.fails.endless',
    'an oracle that never ends is ended, and fails',
    fixture.looping,
    // Open, as of every limit.
    /\S/,
    ['1-35'],
  ),
  broken(
    // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
    //   contract.
    // 4.6-07: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    'rpc.simulatePolicyData.fails.forbidden-import',
    'an oracle that imports an unavailable function fails',
    fixture.forbidden,
    /\S/,
    ['1-10'],
  ),
  {
    // 4.6-12: The input of the oracle when wasm_args is absent.
    id: 'rpc.simulatePolicyData.observed.no-args',
    title: 'observed: the input of an oracle without wasm_args',
    clauses: ['4.6-12'],
    level: 'may',
    needs,
    run: async (t) => {
      await simulatePolicyDataSubject.accepted(t)
      const answer = await runOf(t, fixture.echo, { wasm_args: undefined })
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      const failure = failureOf(answer)
      const said = failure ?? JSON.stringify(expectOracleRun(answer).data)
      t.observe(`the echo oracle without wasm_args: ${said}`)
    },
  },
  {
    // 4.6-14: The response for a PolicyData address without a contract.
    id: 'rpc.simulatePolicyData.observed.no-contract',
    title: 'observed: an address without a contract, and one of another contract',
    clauses: ['4.6-14'],
    level: 'may',
    needs: [...needs, `client:${fixture.priced}`],
    run: async (t) => {
      await simulatePolicyDataSubject.accepted(t)
      const nobody = `0x${'5d'.repeat(20)}`
      const client = t.client(fixture.priced).policyClient
      for (const policy_data_address of [nobody, client]) {
        const wasm_args = wasmArgs(t, fixture.echo)
        const answer = await runOf(t, fixture.echo, { policy_data_address, wasm_args })
        t.observe(`an address that is not a PolicyData: ${expectFailure(answer)}`)
      }
    },
  },
]
