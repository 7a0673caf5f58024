import { decided } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { failureOf, transferIntent } from '../lab/requests.ts'
import { simulateTaskSubject } from '../lab/subjects.ts'
import {
  acceptedTaskSimulation,
  expectTaskSimulation,
  priceData,
  pricedNeeds,
  type SuppliedData,
  simulateTask,
  taskSimulationParams,
} from '../lab/taskSimulation.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { isObject, type JsonObject } from '../runner/expect.ts'

/** Section 4.4: supplied data that the contract would reject, and conflicting policies. */
const simulatePrice = async (t: CheckContext, change: Partial<SuppliedData>, more: object = {}) =>
  simulateTask(t, {
    ...taskSimulationParams(t, fixture.priced, [{ ...(await priceData(t, 1)), ...change }]),
    intent: transferIntent(t, { value: '0x1' }),
    ...more,
  })

/** The reference implementation refuses it; the behaviour of other gateways is recorded. */
const refusedData = (
  name: string,
  what: string,
  clause: string,
  call: (t: CheckContext) => ReturnType<typeof simulateTask>,
  says: RegExp,
): Check => ({
  id: `rpc.simulateTask.observed.${name}`,
  title: `observed: simulateTask with ${what}`,
  clauses: [clause],
  level: 'may',
  needs: pricedNeeds,
  twin: 'the same data in its accepted form',
  run: async (t) => {
    await t.twin(async () => expectTaskSimulation(await simulatePrice(t, {})))
    const failure = failureOf(await call(t))
    decided(t, says.test(failure ?? ''), what, `a failure like ${says}`, failure ?? 'evaluated')
  },
})

const resultOf = (json: unknown): JsonObject => {
  const result = isObject(json) && isObject(json.result) ? json.result : {}
  return isObject(result.result) ? result.result : {}
}

export const suppliedData: readonly Check[] = [
  refusedData(
    'expired-data',
    'data that expired at block 1',
    '4.4-15',
    (t) => simulatePrice(t, { expireBlock: 1 }),
    /policyData\[0\] expired at block 1;/,
  ),
  refusedData(
    'forged-attestation',
    'an attestation of an unknown attester',
    '4.4-16',
    (t) => simulatePrice(t, { attestation: `0x${'11'.repeat(65)}` }),
    /policyData\[0\] (is not attested|has an attestation)/,
  ),
  refusedData(
    'other-client',
    'policy_client with another policy than policy_task_data',
    '4.4-17',
    (t) => simulatePrice(t, {}, { policy_client: t.client(fixture.simple).policyClient }),
    /^-32602 .*policy_task_data\.policy(Address|Id) /,
  ),
  {
    id: 'rpc.simulateTask.observed.without-attestation',
    title: 'observed: simulateTask with data that has no attestation',
    clauses: ['2.4-10'],
    level: 'may',
    needs: pricedNeeds,
    run: async (t) => {
      await acceptedTaskSimulation(t)
      const failure = failureOf(await simulatePrice(t, { attestation: undefined }))
      const what = 'data without the member attestation'
      decided(t, failure === undefined, what, 'evaluated', failure ?? 'evaluated')
    },
  },
  {
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
      decided(t, allow !== true, 'allow', 'not true', allow)
      const named = typeof reason === 'string' && reason.includes(error)
      decided(t, named, 'the reason', `names ${error}`, reason)
    },
  },
  {
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
      decided(t, failure === undefined, 'both forms at once', 'evaluated', failure ?? 'evaluated')
    },
  },
]
