import { devAccount } from 'polgate-chain/accounts.ts'
import { setPolicy } from 'polgate-chain/deploy.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { policyFixture } from 'polgate-fixtures/catalogue.ts'
import { type DeployedClient, paramsText } from 'polgate-fixtures/deployClient.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { type Deployment, usualFixtureHost } from './deployFixtures.ts'

/** Current policy ids by the name of their client. */
export type PolicyIds = Readonly<Record<string, Bytes32>>

/**
 * Updates the fixture host URL in the parameters of policies that use it.
 *
 * @param kept whether the chain has history, in which policies may have been replaced
 */
export async function rewriteUrls(
  rpcUrl: string,
  deployment: Deployment,
  fixtureHost: string,
  kept: boolean,
): Promise<PolicyIds> {
  const { token, clients } = deployment
  const names = Object.entries(clients).filter(
    ([, { fixture }]) => kept || (usesHost(fixture) && fixtureHost !== usualFixtureHost),
  )
  const ids: Record<string, Bytes32> = Object.fromEntries(
    Object.entries(clients).map(([name, { policyId }]) => [name, policyId]),
  )
  if (names.length === 0) return ids
  const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
  const places = { fixture_host: fixtureHost, token }

  async function currentId({ policyClient, policyAddress, fixture }: DeployedClient) {
    const context = await readClientContext({ client: owner.client, policyClient })
    const { expireAfter } = context.policyConfig
    const policyParams = paramsText(policyFixture(fixture), places)
    const owned = context.owner.toLowerCase() === owner.account.address.toLowerCase()
    const right = context.policyConfig.policyParams === policyParams
    if (right || !owned || !usesHost(fixture)) return context.policyId
    await setPolicy(owner, policyClient, { policy: policyAddress, policyParams, expireAfter })
    return (await readClientContext({ client: owner.client, policyClient })).policyId
  }

  for (const [name, client] of names) ids[name] = await currentId(client)
  return ids
}

const usesHost = (fixture: string): boolean =>
  policyFixture(fixture).paramsText.includes('{fixture_host}')
