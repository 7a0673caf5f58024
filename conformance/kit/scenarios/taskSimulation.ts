import { toHex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectObject, type JsonObject } from '../../core/expect.ts'
import { expectSuccess } from '../assertions/expectAnswer.ts'
import { expectForm } from './expectForm.ts'
import { fixture } from './fixtures.ts'
import { failureOf, transferIntent } from './requests.ts'
import { pricedData } from './secrets.ts'

/** One data source as supplied to a simulation (section 2.4). */
export type SuppliedData = {
  readonly wasmArgs: string
  readonly data: string
  readonly attestation?: string | undefined
  readonly policyDataAddress: string
  readonly expireBlock: number
}

/** The full form of params: the policy's identity and its data. */
export function taskSimulationParams(
  t: CheckContext,
  name: string = fixture.simple,
  policyData: readonly SuppliedData[] = [],
): Record<string, unknown> {
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

/** The result of a simulation that must run; its decision does not matter. */
export function expectTaskSimulation(answer: Answer): JsonObject {
  const simulation = expectSuccess(answer, 'the end of the simulation')
  expectObject(simulation.result, 'result.result')
  return simulation
}

/** One accepted simulation for all checks that expect a refusal. */
export const acceptedTaskSimulation = async (t: CheckContext): Promise<JsonObject> =>
  expectTaskSimulation(
    await t.once('accepted task simulation', (gateway) =>
      gateway.call('simulateTask', taskSimulationParams(t)),
    ),
  )

export const pricedNeeds = [
  'key:read',
  'sender',
  'chain',
  'unattested-data',
  `client:${fixture.simple}`,
  `client:${fixture.priced}`,
] as const

const hexJson = (value: unknown): string => toHex(JSON.stringify(value))

const unattested = (t: CheckContext, price: unknown, more: object): SuppliedData => ({
  wasmArgs: hexJson({ symbol: 'ETH' }),
  data: hexJson({
    price_feed: { symbol: 'ETH', price, updated_at: Math.floor(Date.now() / 1000), ...more },
  }),
  policyDataAddress: pricedData(t),
  expireBlock: 4_000_000_000,
})

/**
 * How the target accepts unattested data: with an empty attestation, or without one. A gateway that takes
 * neither declares `unattested-data` as not applicable.
 */
const attestationOf = (t: CheckContext): Promise<string | undefined> =>
  t.once('the attestation of unattested data', async (gateway) => {
    const simulate = (attestation: string | undefined) => {
      const data = { ...unattested(t, 1, {}), attestation }
      return gateway.call('simulateTask', taskSimulationParams(t, fixture.priced, [data]))
    }
    if (failureOf(await simulate('0x')) === undefined) return '0x'
    const what = 'the simulation of a task with data that no attester has signed'
    expectForm(await simulate(undefined), 'unattested-data', what)
    return undefined
  })

/** Data in the format of the price oracle, with a given price. */
export const priceData = async (
  t: CheckContext,
  price: unknown,
  more: object = {},
): Promise<SuppliedData> => ({
  ...unattested(t, price, more),
  attestation: await attestationOf(t),
})
