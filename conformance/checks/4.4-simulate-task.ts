import { type Hex, toHex } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { responseOfResult } from '../crypto/attestation.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import {
  acceptedTask,
  expectFailure,
  failureOf,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { simulateTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  acceptedTaskSimulation,
  expectTaskSimulation,
  priceData,
  pricedNeeds,
  type SuppliedData,
  simulatedDecision,
  simulateTask,
  taskSimulationParams,
  tooMuch,
} from '../kit/scenarios/taskSimulation.ts'

/** Section 4.4: the Rego stage alone, on data supplied by the caller. */
const { needs } = simulateTaskSubject

/** Denies what exceeds a parameter; without the parameter it allows everything. */
const upToMaximum = [
  'package policy',
  'default allow := false',
  'allow if count(deny) == 0',
  'deny contains "value exceeds the maximum" if input.value > data.params.max_value',
].join('\n\n')

const decisionOf = (t: CheckContext, answer: Answer) =>
  simulatedDecision(t, expectTaskSimulation(answer))

async function simulatePriced(t: CheckContext, data: readonly SuppliedData[]) {
  const params = taskSimulationParams(t, fixture.priced, data)
  const intent = transferIntent(t, { value: toHex(10n ** 15n) })
  return decisionOf(t, await simulateTask(t, { ...params, intent }))
}

export const simulateTaskChecks: readonly Check[] = [
  {
    // 4.4-07: The answer has success, a boolean.
    // 4.4-08: A success has a result object, for example with allow and reason.
    // 4.4-10: details, where present, is an object.
    // 4.4-06: policy_task_data in the full form is a PolicyTaskData.
    // 2.4-03: policy of policy_task_data is bytes as hex and may be 0x.
    id: 'rpc.simulateTask.shape',
    title: 'a simulation returns success, result, and details as an object if present',
    clauses: ['4.4-07', '4.4-08', '4.4-10', '4.4-06', '2.4-03'],
    level: 'must',
    needs,
    run: async (t) => {
      const result = await acceptedTaskSimulation(t)
      expectShape(
        result,
        {
          success: shape.boolean,
          result: shape.object,
          details: shape.optional(shape.nullable(shape.object)),
        },
        'result',
      )
    },
  },
  {
    // 4.4-13: The names of members of result.
    id: 'rpc.simulateTask.observed.members',
    title: 'observed: the members of result and details',
    clauses: ['4.4-13'],
    level: 'may',
    needs,
    run: async (t) => {
      const { result, details } = await acceptedTaskSimulation(t)
      t.observe(`result ${JSON.stringify(result)}, details ${JSON.stringify(details)}`)
    },
  },
  {
    // 4.4-11: chain_id in the intent may be a plain decimal string.
    id: 'rpc.simulateTask.decimal-chain-id',
    title: 'chain_id as a plain decimal string is accepted',
    clauses: ['4.4-11'],
    level: 'must',
    needs,
    run: async (t) => {
      const params = taskSimulationParams(t)
      const intent = transferIntent(t)
      const decimal = { ...intent, chain_id: String(BigInt(intent.chain_id)) }
      expectTaskSimulation(await simulateTask(t, { ...params, intent: decimal }))
    },
  },
  {
    // 4.4-03: The supplied data is used: no oracle runs, only the Rego stage.
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    // 1-03: Evaluation sees the output of the client’s data oracles.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    id: 'rpc.simulateTask.supplied-data',
    title: 'the policy gets the supplied data, and no oracle runs',
    clauses: ['4.4-03', '2.4-06', '1-03', '1-24'],
    level: 'must',
    needs: pricedNeeds,
    twin: 'the same value at a low price',
    run: async (t) => {
      await t.twin(async () =>
        expectEqual(await simulatePriced(t, [await priceData(t, 1)]), true, 'allow at a low price'),
      )
      // No feed of the fixtures has this price: if the oracle ran, the transfer would be allowed.
      expectEqual(
        await simulatePriced(t, [await priceData(t, 1e9)]),
        false,
        'allow at a high price',
      )
    },
  },
  {
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 4.4-03: The supplied data is used: no oracle runs, only the Rego stage.
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    id: 'rpc.simulateTask.supplied-error',
    title: 'an oracle’s error in the supplied data denies',
    clauses: ['1-27', '4.4-03', '2.4-06'],
    level: 'must',
    needs: pricedNeeds,
    twin: 'the same simulation with a price',
    run: async (t) => {
      await t.twin(async () =>
        expectEqual(await simulatePriced(t, [await priceData(t, 1)]), true, 'allow with a price'),
      )
      const failed = {
        ...(await priceData(t, 1)),
        data: toHex(JSON.stringify({ price_feed: { error: 'unavailable' } })),
      }
      expectEqual(await simulatePriced(t, [failed]), false, 'allow with an error')
    },
  },
  {
    // 4.4-09: A failure has an error string.
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    id: 'rpc.simulateTask.undecodable-data',
    title: 'supplied data that is not JSON is an error or a denial, never an allow',
    clauses: ['4.4-09', '1-27', '2.4-06'],
    level: 'must',
    needs: pricedNeeds,
    twin: 'the same simulation with data that is JSON',
    run: async (t) => {
      await t.twin(async () =>
        expectEqual(await simulatePriced(t, [await priceData(t, 1)]), true, 'allow with JSON'),
      )
      const params = taskSimulationParams(t, fixture.priced, [
        { ...(await priceData(t, 1)), data: '0xff00' },
      ])
      const answer = await simulateTask(t, params)
      const failure = failureOf(answer)
      t.observe(`data that is not JSON: ${failure ?? 'evaluated'}`)
      if (failure === undefined) {
        const decision = await simulatedDecision(t, expectResultObject(answer))
        expectThat(decision !== true, 'allow', 'not true', answer.json)
      } else if (isObject(answer.json) && isObject(answer.json.result))
        expectShape(answer.json.result, { error: shape.string }, 'result')
    },
  },
  {
    // 4.4-06: policy_task_data in the full form is a PolicyTaskData.
    // 4.4-08: A success has a result object, for example with allow and reason.
    // 2.4-04: policyData of policy_task_data is an array of entries.
    id: 'rpc.simulateTask.after-task',
    title: 'the data of a finished task, simulated again, gives the same decision',
    clauses: ['4.4-06', '4.4-08', '2.4-04'],
    level: 'must',
    profiles: ['tasks', 'simulation'],
    needs,
    run: async (t) => {
      const { result, params } = await acceptedTask(t)
      responseOfResult(result)
      const data = (result.task_response as JsonObject).policy_task_data
      const answer = await simulateTask(t, { intent: params.intent, policy_task_data: data })
      expectEqual(await decisionOf(t, answer), true, 'allow')
    },
  },
  {
    // 4.4-09: A failure has an error string.
    // 7.3-12: The error for a failed read of the chain is "Contract read failed: {details}".
    id: 'rpc.simulateTask.unknown-policy',
    title: 'a policy address without a contract is an error, not an allow',
    clauses: ['4.4-09', '7.3-12'],
    level: 'must',
    needs,
    twin: 'the same simulation with the deployed policy',
    run: async (t) => {
      await t.twin(() => acceptedTaskSimulation(t))
      const params = taskSimulationParams(t)
      const data = params.policy_task_data as JsonObject
      const changed = {
        ...params,
        policy_task_data: { ...data, policyAddress: `0x${'dead'.repeat(10)}` },
      }
      const answer = await simulateTask(t, changed)
      expectFailure(answer, /Contract read failed|-32616|polic/i)
    },
  },
  {
    // 1-23: data.params is the configuration of the policy client.
    id: 'rpc.simulateTask.unknown-policy-id',
    title:
      'a policy id that the policy has no configuration for never allows what its clients may not',
    clauses: ['1-23'],
    level: 'must',
    needs,
    twin: 'the same policy with the id of a client: a low value is allowed, a high one is not',
    run: async (t) => {
      const simulate = async (value: Hex, more: object = {}) => {
        const { policy_task_data } = taskSimulationParams(t) as { policy_task_data: object }
        return simulateTask(t, {
          intent: transferIntent(t, { value }),
          policy_task_data: { ...policy_task_data, policy: toHex(upToMaximum), ...more },
        })
      }
      await t.twin(async () => {
        expectEqual(await decisionOf(t, await simulate('0x1')), true, 'allow of a low value')
        expectEqual(await decisionOf(t, await simulate(tooMuch)), false, 'allow of a high value')
      })
      const answer = await simulate(tooMuch, { policyId: `0x${'5a'.repeat(32)}` })
      const failure = failureOf(answer)
      t.observe(`a policy id without configuration: ${failure ?? 'evaluated'}`)
      if (failure !== undefined) return
      const decision = await simulatedDecision(t, expectResultObject(answer))
      expectThat(decision !== true, 'allow', 'not true', answer.json)
    },
  },
  {
    // 4.4-12: Which params the short form (policy_client and intent) needs.
    id: 'rpc.simulateTask.observed.short-form',
    title: 'observed: the short form with policy_client and intent',
    clauses: ['4.4-12'],
    level: 'may',
    needs,
    run: async (t) => {
      await acceptedTaskSimulation(t)
      const params = {
        policy_client: t.client(fixture.simple).policyClient,
        intent: transferIntent(t),
      }
      const answer = await simulateTask(t, params)
      t.observe(`policy_client and intent alone: ${failureOf(answer) ?? 'evaluated'}`)
    },
  },
]
