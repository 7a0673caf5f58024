import { devAccount } from '../../chain/accounts.ts'
import { createChainClient } from '../../chain/client.ts'
import { setPolicy } from '../../chain/deploy.ts'
import { readClientContext } from '../../chain/reads.ts'
import { createTransactor } from '../../chain/transactor.ts'
import { policyFixture } from '../../fixtures/catalogue.ts'
import type { Bytes32 } from '../protocol/scalars.ts'
import { type Deployment, paramsText } from './deployFixtures.ts'

/** Ids of the policies by the name of their client, as they are now. */
export type PolicyIds = Readonly<Record<string, Bytes32>>

/**
 * Tells the policies whose parameters name the fixture host where it is this time, and reads every
 * client's policy id.
 */
export async function movePlaces(
  rpcUrl: string,
  deployment: Deployment,
  fixtureHost: string,
): Promise<PolicyIds> {
  const client = createChainClient({ rpcUrl })
  const places = { fixture_host: fixtureHost, token: deployment.token }
  const moved = Object.entries(deployment.clients).map(
    async ([name, { policyClient, policyAddress, fixture: fixtureName }]) => {
      const fixture = policyFixture(fixtureName)
      let context = await readClientContext({ client, policyClient })
      const policyParams = paramsText(fixture, places)
      const owned = context.owner.toLowerCase() === devAccount(0).address.toLowerCase()
      if (owned && context.policyConfig.policyParams !== policyParams) {
        const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
        const { expireAfter } = context.policyConfig
        await setPolicy(owner, policyClient, { policy: policyAddress, policyParams, expireAfter })
        context = await readClientContext({ client, policyClient })
      }
      return [name, context.policyId] as const
    },
  )
  return Object.fromEntries(await Promise.all(moved))
}
