import type { Hex } from 'viem'
import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { isObject, type JsonObject } from '../../core/expect.ts'
import { lacking } from '../../targets/targetLine.ts'
import { expectOperationalFailure } from '../assertions/expectAnswer.ts'
import { canDeploy, newClient } from './newClient.ts'
import { resultOf } from './requests.ts'
import { pricedData, simulateWithClient, withClientParams } from './secrets.ts'

/** A client for which no secrets of the price oracle are stored. */
export type UnsecretedClient = {
  readonly policyClient: Hex
  /** A client of the target's description: any of its users may have stored secrets for it. */
  readonly shared: boolean
}

/** A new client with the policy of a fixture; the fixture's own where none can be deployed. */
export const clientWithoutSecrets = async (
  t: CheckContext,
  name: string,
): Promise<UnsecretedClient> =>
  canDeploy(t)
    ? { policyClient: await newClient(t, name), shared: false }
    : { policyClient: t.client(name).policyClient, shared: true }

/** Whether an oracle read the price of its feed, which only the right secrets open. */
function readsPrice({ json }: Answer): boolean {
  const result = resultOf({ json } as Answer)
  const data = isObject(result) && isObject(result.policy_data) ? result.policy_data.data : {}
  const feed = isObject(data) && isObject(data.price_feed) ? data.price_feed : {}
  return feed.price !== undefined
}

/**
 * The failure of a simulation for a client without secrets. Where a shared client turns out to have
 * secrets, since its oracle reads the price that only they open, the check is untestable.
 */
export async function expectMissingSecrets(
  t: CheckContext,
  { policyClient, shared }: UnsecretedClient,
  answer: Answer,
): Promise<JsonObject> {
  try {
    return expectOperationalFailure(answer, /^Missing secrets for 1 PolicyData contract\(s\)/)
  } catch (error) {
    if (!shared) throw error
    const run = await t.cleanup(() => simulateWithClient(t, withClientParams(t, policyClient)))
    if (run === undefined || !readsPrice(run)) throw error
    throw lacking(
      `another user of the target has stored secrets for policy client ${policyClient} and oracle ${pricedData(t)}, and the suite cannot deploy a client without any`,
      'owner',
      t.target,
    )
  }
}
