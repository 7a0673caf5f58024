import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { isObject, type JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { failureOf, transferIntent } from '../kit/scenarios/requests.ts'
import { simulateTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  acceptedTaskSimulation,
  expectTaskSimulation,
  priceData,
  pricedNeeds,
  type SuppliedData,
  simulateTask,
  taskSimulationParams,
} from '../kit/scenarios/taskSimulation.ts'

/** Section 4.4: supplied data that the contract would reject, and conflicting policies. */
const simulatePrice = async (t: CheckContext, change: Partial<SuppliedData>, more: object = {}) =>
  simulateTask(t, {
    ...taskSimulationParams(t, fixture.priced, [{ ...(await priceData(t, 1)), ...change }]),
    intent: transferIntent(t, { value: '0x1' }),
    ...more,
  })

/** What is done with data that the chain would not take is open. */
const refusedData = (
  id: string,
  what: string,
  clause: string,
  call: (t: CheckContext) => ReturnType<typeof simulateTask>,
): Check => ({
  id,
  title: `observed: simulateTask with ${what}`,
  clauses: [clause],
  level: 'may',
  needs: pricedNeeds,
  twin: 'the same data in its accepted form',
  run: async (t) => {
    await t.twin(async () => expectTaskSimulation(await simulatePrice(t, {})))
    const failure = failureOf(await call(t))
    observed(t, 'answer', what, failure ?? 'evaluated')
  },
})

function resultOf(json: unknown): JsonObject {
  const result = isObject(json) && isObject(json.result) ? json.result : {}
  return isObject(result.result) ? result.result : {}
}

export const suppliedData: readonly Check[] = [
  refusedData(
    // 4.4-15: What a gateway does with supplied data that has expired.
    'rpc.simulateTask.observed.expired-data',
    'data that expired at block 1',
    '4.4-15',
    (t) => simulatePrice(t, { expireBlock: 1 }),
  ),
  refusedData(
    // 4.4-16: What a gateway does with an attestation that was not made by an attester.
    'rpc.simulateTask.observed.forged-attestation',
    'an attestation of an unknown attester',
    '4.4-16',
    (t) => simulatePrice(t, { attestation: `0x${'11'.repeat(65)}` }),
  ),
  refusedData(
    // 4.4-17: What a gateway does with policy_client beside policy_task_data, of the same or of
    //   another policy.
    'rpc.simulateTask.observed.other-client',
    'policy_client with another policy than policy_task_data',
    '4.4-17',
    (t) => simulatePrice(t, {}, { policy_client: t.client(fixture.simple).policyClient }),
  ),
  {
    // 2.4-10: Whether an entry may come without an attestation.
    id: 'rpc.simulateTask.observed.without-attestation',
    title: 'observed: simulateTask with data that has no attestation',
    clauses: ['2.4-10'],
    level: 'may',
    needs: pricedNeeds,
    run: async (t) => {
      await acceptedTaskSimulation(t)
      const failure = failureOf(await simulatePrice(t, { attestation: undefined }))
      const what = 'data without the member attestation'
      observed(t, 'answer', what, failure ?? 'evaluated')
    },
  },
  {
    // 4.4-18: Whether the reason of a denial names the error of an oracle.
    id: 'rpc.simulateTask.observed.oracle-error-reason',
    title: 'observed: whether the reason of a denial names the error of an oracle',
    clauses: ['4.4-18'],
    level: 'may',
    needs: pricedNeeds,
    run: async (t) => {
      await acceptedTaskSimulation(t)
      const error = 'the feed is under water'
      const data = await priceData(t, 1, { error })
      const answer = await simulateTask(t, taskSimulationParams(t, fixture.priced, [data]))
      const { allow, reason } = resultOf(answer.json)
      observed(t, 'allow', 'allow', allow)
      observed(t, 'reason', 'the reason', reason, { error })
    },
  },
  {
    // 4.4-17: What a gateway does with policy_client beside policy_task_data, of the same or of
    //   another policy.
    id: 'rpc.simulateTask.observed.same-client',
    title: 'observed: simulateTask with both policy_task_data and a policy_client of its policy',
    clauses: ['4.4-17'],
    level: 'may',
    needs: simulateTaskSubject.needs,
    run: async (t) => {
      await acceptedTaskSimulation(t)
      const { policyClient } = t.client(fixture.simple)
      const answer = await simulateTask(t, {
        ...taskSimulationParams(t),
        policy_client: policyClient,
      })
      const failure = failureOf(answer)
      observed(t, 'answer', 'both forms at once', failure ?? 'evaluated')
    },
  },
]
