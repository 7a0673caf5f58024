import fc from 'fast-check'
import type { Answer } from '../../core/answer.ts'
import { Untestable } from '../../core/conformanceError.ts'
import { expectEqual, expectMatch, isObject } from '../../core/expect.ts'
import { fixture } from '../../kit/scenarios/fixtures.ts'
import { moveOwnership } from '../../kit/scenarios/newClient.ts'
import { simulateOracle } from '../../kit/scenarios/oracles.ts'
import { failureOf, resultOf } from '../../kit/scenarios/requests.ts'
import {
  pricedOracle,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../../kit/scenarios/secrets.ts'
import { type Account, accountOf, everybody, type Model, type Side } from '../state.ts'
import type { StepOptions } from '../step.ts'
import { type Surfaces, tell } from '../surfaces.ts'

const owns = (model: Model, by: Side): boolean => accountOf[by] === model.owner

/** Possible results of an oracle run with the secrets in the model. */
type Outcome = 'a price' | 'no price' | 'no secrets' | 'not the owner'

function outcomeOf(model: Model, by: Side): Outcome {
  if (!owns(model, by)) return 'not the owner'
  if (model.secrets === 'none') return 'no secrets'
  return model.secrets === 'right' ? 'a price' : 'no price'
}

function observedOf(answer: Answer): Outcome | string {
  const failure = failureOf(answer)
  if (failure === undefined)
    return /"price":\s*2000\b/.test(JSON.stringify(resultOf(answer))) ? 'a price' : 'no price'
  if (/is owned by another user/i.test(failure)) return 'not the owner'
  return /(no|missing) secrets/i.test(failure) ? 'no secrets' : failure
}

/** Section 5.2: what a key may do with a client depends on the current owner on chain. */
export async function expectOwnership(model: Model, surfaces: Surfaces, by: Side): Promise<void> {
  const { t, holders } = surfaces
  const params = withClientParams(t, await surfaces.owned())
  const answer = await simulateWithClient(t, params, { key: holders[by].key })
  const observed = observedOf(answer)
  tell(surfaces, `RPC: ${by} gets ${observed}`)
  expectEqual(observed, outcomeOf(model, by), `the result of ${by} for the client`)
}

const transfers = (how: 'setOwner' | 'transferOwnership'): StepOptions => ({
  text: `${how}() transfers the client to the other account`,
  act: async (model, surfaces) => {
    const { t } = surfaces
    const to: Account = model.owner === 'owner' ? 'stranger' : 'owner'
    const address = t.target.accounts?.[to]?.address
    if (address === undefined) throw new Untestable(`the target has no ${to} account`)
    await moveOwnership(t, await surfaces.owned(), address, how, model.owner)
    model.owner = to
    for (const by of everybody) if (model.keys[by].live) await expectOwnership(model, surfaces, by)
  },
})

const stores = (by: Side, which: 'right' | 'wrong'): StepOptions => ({
  text: `${by}: storeEncryptedSecrets, the ${which} ones`,
  holds: ({ keys }) => keys[by].live,
  act: async (model, surfaces) => {
    const { t } = surfaces
    const { secrets } = pricedOracle(t)
    const sealed = which === 'right' ? secrets : { ...secrets, PRICE_API_KEY: t.canary('wrong') }
    const params = await storeParams(t, await surfaces.owned(), sealed)
    const answer = await storeSecrets(t, params, { key: surfaces.holders[by].key })
    const failure = failureOf(answer)
    tell(surfaces, `RPC: ${failure ?? 'stored'}`)
    if (owns(model, by)) {
      expectEqual(failure, undefined, `the failure of an upload by ${by}`)
      model.secrets = which
    } else expectMatch(failure, /is owned by another user/i, `the refusal of an upload by ${by}`)
    await expectOwnership(model, surfaces, by)
  },
})

const simulates = (by: Side): StepOptions => ({
  text: `${by}: simulatePolicy with the client’s secrets`,
  holds: ({ keys }) => keys[by].live,
  act: async (model, surfaces) => {
    const { t, holders } = surfaces
    const policy_client = await surfaces.owned()
    const answer = await simulateOracle(t, fixture.priced, { policy_client }, holders[by])
    const result = resultOf(answer)
    tell(surfaces, `RPC: ${isObject(result) ? `success ${result.success}` : failureOf(answer)}`)
    expectEqual(observedOf(answer), outcomeOf(model, by), `the simulation result of ${by}`)
  },
})

const who = fc.constantFrom(...everybody)

/** The owner of a client changes on chain, and secrets are stored for it by the entitled key. */
export const ownerships = (): fc.Arbitrary<StepOptions> =>
  fc.oneof(
    fc.constantFrom('setOwner' as const, 'transferOwnership' as const).map(transfers),
    fc
      .tuple(who, fc.constantFrom('right' as const, 'wrong' as const))
      .map(([by, which]) => stores(by, which)),
    who.map(simulates),
  )
