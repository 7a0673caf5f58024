import type { CheckContext } from '../runner/context.ts'
import { expectSuccess, type JsonObject } from '../runner/expect.ts'
import type { Answer } from '../wire/answer.ts'
import { fixture } from './fixtures.ts'
import { transferIntent } from './requests.ts'

/** One data source as it is supplied to a simulation (section 2.4). */
export type SuppliedData = {
  readonly wasmArgs: string
  readonly data: string
  readonly attestation: string
  readonly policyDataAddress: string
  readonly expireBlock: number
}

/** The full form of params: the policy's identity and the data it shall see. */
export const taskSimulationParams = (
  t: CheckContext,
  name: string = fixture.simple,
  policyData: readonly SuppliedData[] = [],
): Record<string, unknown> => {
  const client = t.client(name)
  return {
    intent: transferIntent(t),
    policy_task_data: {
      policyId: client.policyId,
      policyAddress: client.policyAddress,
      policy: '0x',
      policyData,
    },
  }
}

export const simulateTask = (t: CheckContext, params: unknown): Promise<Answer> =>
  t.gateway.call('simulateTask', params)

/** The result of a simulation that has to run; whether it allows is another question. */
export const expectTaskSimulation = (answer: Answer): JsonObject =>
  expectSuccess(answer, 'the end of the simulation')

/** One accepted simulation for all checks that refuse something else. */
export const acceptedTaskSimulation = async (t: CheckContext): Promise<JsonObject> =>
  expectTaskSimulation(
    await t.once('accepted task simulation', (gateway) =>
      gateway.call('simulateTask', taskSimulationParams(t)),
    ),
  )
