import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { expectError } from '../kit/assertions/expectAnswer.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import { oracleParams, simulateOracle } from '../kit/scenarios/oracles.ts'
import { allowingPolicy, expectEvaluation, simulatePolicy } from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'
import { clientWithoutSecrets, expectMissingSecrets } from '../kit/scenarios/withoutSecrets.ts'

/** Sections 4.8, 7.2 and 7.3: who may use the secrets of a client, and the errors for others. */
const { needs } = simulatePolicySubject
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const

/** Refused for ownership: the code, the start of the message, and the reason in it. */
const refusedOwner = (
  id: string,
  title: string,
  client: string,
  reason: RegExp,
  clauses: readonly string[],
): Check => ({
  id,
  title,
  clauses: [...clauses, '4.8-15', '7.2-07', '7.3-18'],
  level: 'must',
  needs: [...pricedNeeds, `client:${client}`],
  twin: 'the same simulation for a client that the key’s owner owns',
  run: async (t) => {
    await t.twin(async () => expectEvaluation(await simulateOracle(t, fixture.priced)))
    const answer = await simulateOracle(t, client)
    expectError(answer, { code: -32002, message: reason })
  },
})

export const ownership: readonly Check[] = [
  {
    // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
    // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
    //   "Authorization failed:".
    // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
    //   another user".
    // 7.3-18: Authorization failures are JSON-RPC error objects.
    id: 'rpc.simulatePolicy.owner.stranger',
    title: 'the key of another owner may not use a PolicyData that has secrets: -32002',
    clauses: ['4.8-15', '7.2-07', '7.3-05', '7.3-18'],
    level: 'must',
    needs: [...pricedNeeds, 'key:stranger'],
    twin: 'the same simulation with the key of the owner',
    run: async (t) => {
      await t.twin(async () => expectEvaluation(await simulateOracle(t, fixture.priced)))
      const answer = await simulateOracle(t, fixture.priced, {}, { key: 'stranger' })
      expectError(answer, {
        code: -32002,
        message: /^Authorization failed:.*policy client 0x[0-9a-f]{40} is owned by another user/is,
      })
    },
  },
  refusedOwner(
    // 7.3-05: The message for a client of another owner has "policy client {addr} is owned by
    //   another user".
    // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
    // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
    //   "Authorization failed:".
    // 7.3-18: Authorization failures are JSON-RPC error objects.
    'rpc.simulatePolicy.owner.another',
    'the client of another owner is refused as owned by another user',
    fixture.strangers,
    /^Authorization failed:.*policy client 0x[0-9a-f]{40} is owned by another user/is,
    ['7.3-05'],
  ),
  refusedOwner(
    // 7.3-06: The message for a client without an owner has "policy client {addr} has no owner...".
    // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
    // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
    //   "Authorization failed:".
    // 7.3-18: Authorization failures are JSON-RPC error objects.
    'rpc.simulatePolicy.owner.none',
    'a client without an owner is refused with that reason',
    fixture.ownerless,
    /^Authorization failed:.*policy client 0x[0-9a-f]{40} has no owner/is,
    ['7.3-06'],
  ),
  {
    // 4.8-16: Ownership is not verified when no listed PolicyData has a secrets schema.
    // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
    //   then.
    id: 'rpc.simulatePolicy.owner.not-needed',
    title: 'without a PolicyData that has secrets any key may simulate',
    clauses: ['4.8-16', '5.2-07'],
    level: 'must',
    needs: [...needs, 'key:stranger', `client:${fixture.ownerless}`],
    run: async (t) => {
      const answer = await simulatePolicy(t, allowingPolicy, {}, { key: 'stranger' })
      expectEqual(expectEvaluation(answer).result, true, 'the result with another’s key')
      const { policyClient } = t.client(fixture.ownerless)
      const free = await simulatePolicy(t, allowingPolicy, { policy_client: policyClient })
      expectEqual(expectEvaluation(free).result, true, 'the result for a client without owner')
    },
  },
  {
    // 4.8-15: Ownership is verified when a listed PolicyData has a secrets schema.
    // 4.8-16: Ownership is not verified when no listed PolicyData has a secrets schema.
    // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
    //   then.
    // 7.3-18: Authorization failures are JSON-RPC error objects.
    // 7.2-07: A failed ownership check of a simulate method is -32002 with a message starting
    //   "Authorization failed:".
    id: 'rpc.simulatePolicy.owner.one-of-two',
    title: 'one PolicyData with secrets among several is enough to require ownership',
    clauses: ['4.8-15', '4.8-16', '5.2-07', '7.3-18', '7.2-07'],
    level: 'must',
    needs: [...needs, 'fixture-host', `client:${fixture.multi}`, 'key:stranger'],
    twin: 'the same simulation with the key of the owner',
    run: async (t) => {
      await t.twin(async () => expectEvaluation(await simulateOracle(t, fixture.multi)))
      const answer = await simulateOracle(t, fixture.multi, {}, { key: 'stranger' })
      expectError(answer, { code: -32002, message: /^Authorization failed:/ })
      // The other oracle alone has no secrets, and needs no ownership.
      const params = oracleParams(t, fixture.multi, {
        policy: allowingPolicy,
        entrypoint: 'policy.allow',
      })
      const open = (params.policy_data as unknown[]).slice(1)
      const free = { ...params, policy_data: open }
      expectEvaluation(await t.gateway.call('simulatePolicy', free, { key: 'stranger' }))
    },
  },
  {
    // 7.3-07: The error for missing secrets is "Missing secrets for N PolicyData contract(s)", with
    //   error_details.
    // 4.8-17: error_details lists the missing secrets.
    // 2.6-15: error_details.missing_secrets lists policy_data_address and has_secrets_schema.
    // 2.6-16: error_details.suggested_actions is an array of strings.
    // 4.8-14: Stored secrets are decrypted for the oracles.
    id: 'rpc.simulatePolicy.secrets.missing',
    title:
      'for a client without secrets for the oracle, the error lists those missing, and a remedy',
    clauses: ['7.3-07', '4.8-17', '2.6-15', '2.6-16', '4.8-14'],
    level: 'must',
    needs: [...pricedNeeds, `client:${fixture.withoutSecrets}`],
    uses: newClientNeeds,
    callsAny: true,
    twin: 'the same oracle for the client whose secrets are stored',
    run: async (t) => {
      await t.twin(async () => expectEvaluation(await simulateOracle(t, fixture.priced)))
      const client = await clientWithoutSecrets(t, fixture.withoutSecrets)
      const { policyClient } = client
      const answer = await simulateOracle(t, fixture.withoutSecrets, {
        policy_client: policyClient,
      })
      const details = (await expectMissingSecrets(t, client, answer)).error_details
      const lists = { missing_secrets: shape.array, suggested_actions: shape.array }
      expectShape(details, lists, 'error_details')
      const missing = details.missing_secrets as readonly unknown[]
      expectEqual(missing.length, 1, 'the number of missing_secrets')
      const entry = missing[0] as { policy_data_address?: unknown }
      const rules = { policy_data_address: shape.address, has_secrets_schema: shape.oneOf(true) }
      expectShape(entry, rules, 'missing_secrets[0]')
      const { address } = t.client(fixture.withoutSecrets).policyData[0]!
      const named = String(entry.policy_data_address).toLowerCase()
      expectEqual(named, address.toLowerCase(), 'policy_data_address')
      const kinds = (details.suggested_actions as readonly unknown[]).map((one) => typeof one)
      expectEqual(
        kinds,
        kinds.map(() => 'string'),
        'suggested_actions',
      )
    },
  },
  {
    // 7.3-07: The error for missing secrets is "Missing secrets for N PolicyData contract(s)", with
    //   error_details.
    // 4.8-14: Stored secrets are decrypted for the oracles.
    // 1-16: The secrets call takes no identifiers: client and PolicyData are fixed by the execution
    //   context.
    id: 'rpc.simulatePolicy.secrets.by-pair',
    title: 'secrets are stored per pair: another client of the same owner has none',
    clauses: ['7.3-07', '4.8-14', '1-16'],
    level: 'must',
    needs: pricedNeeds,
    uses: newClientNeeds,
    callsAny: true,
    twin: 'the same oracle for the client whose secrets are stored',
    run: async (t) => {
      await t.twin(async () => expectEvaluation(await simulateOracle(t, fixture.priced)))
      const client = await clientWithoutSecrets(t, fixture.simple)
      const { policyClient } = client
      const answer = await simulateOracle(t, fixture.priced, { policy_client: policyClient })
      await expectMissingSecrets(t, client, answer)
    },
  },
]
