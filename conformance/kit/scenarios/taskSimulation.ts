import { toHex } from 'viem'
import type { Intent } from '../../arbitraries/intent.ts'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectObject, isObject, type JsonObject } from '../../core/expect.ts'
import { expectSuccess } from '../assertions/expectAnswer.ts'
import { expectForm } from './expectForm.ts'
import { fixture } from './fixtures.ts'
import { failureOf, transferIntent, unlistedRecipient } from './requests.ts'
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

/** Where a simulation tells its decision, and how. */
type Telling = { readonly path: string; readonly allowed: string; readonly denied: string }

/** Paths of the values in a result, each with its JSON. */
function valuesOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => valuesOf(member, `${path}.${name}`))
    : [[path, JSON.stringify(value)]]
}

const usual: Telling = { path: '.allow', allowed: 'true', denied: 'false' }

/** More than the policy of the simple fixture allows. */
export const tooMuch = toHex(10n ** 18n + 1n)

/** Booleans tell it most directly, then words; lists and numbers are about something else. */
const rankOf = ({ allowed }: Telling) => [/^(true|false)$/, /^"/].findIndex((e) => e.test(allowed))

/**
 * Where the target tells the decision: the names of members of `result` are open (clause 4.4-13). The
 * member has the same value for intents that are allowed, and another for those that are denied, for
 * whatever reason.
 */
const tellingOf = (t: CheckContext): Promise<Telling> =>
  t.once('the form of simulated decisions', async (gateway) => {
    const accepted = await acceptedTaskSimulation(t)
    if (isObject(accepted.result) && accepted.result.allow === true) return usual
    const simulate = async (overrides: Partial<Intent>) => {
      const params = { ...taskSimulationParams(t), intent: transferIntent(t, overrides) }
      const answer = await gateway.call('simulateTask', params)
      return new Map(valuesOf(expectTaskSimulation(answer).result))
    }
    const allowed = [await simulate({}), await simulate({ value: '0x1' })] as const
    const denied = [
      await simulate({ to: unlistedRecipient }),
      await simulate({ value: tooMuch }),
    ] as const
    const same = ([one, other]: typeof allowed, path: string) =>
      one.get(path) === other.get(path) ? one.get(path) : undefined
    const telling = [...allowed[0].keys()].flatMap((path): Telling[] => {
      const [yes, no] = [same(allowed, path), same(denied, path)]
      if (yes === undefined || no === undefined || yes === no) return []
      return [{ path, allowed: yes, denied: no }]
    })
    const [found] = telling
      .filter((each) => rankOf(each) >= 0)
      .sort((a, b) => rankOf(a) - rankOf(b))
    return found ?? usual
  })

/**
 * The decision of a simulation: true, false, or whatever else the policy decided; undefined if it does not
 * tell one.
 */
export async function simulatedDecision(t: CheckContext, simulation: JsonObject): Promise<unknown> {
  const { path, allowed, denied } = await tellingOf(t)
  const told = new Map(valuesOf(simulation.result)).get(path)
  if (told === allowed) return true
  if (told === denied) return false
  return told === undefined ? undefined : JSON.parse(told)
}

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
