import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { artifactDirectory } from 'polgate-chain/artifact.ts'
import { describeClient } from 'polgate-fixtures/describeClient.ts'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { ExplorerNetwork } from 'polgate-service/configSections.ts'
import type { Service } from 'polgate-service/service.ts'
import { contentDirectory } from './chainImage.ts'
import { chainPermissions } from './chainPermissions.ts'
import type { Control } from './control.ts'
import type { Deployment } from './deployFixtures.ts'
import { devAccounts, devApiKeys, devOperators } from './devKeys.ts'
import type { PolicyIds } from './rewriteUrls.ts'

/** Description of a running stack for the suite, tests and users. */
export function describeStack(stack: {
  readonly service: Service
  readonly control: Control
  readonly host: FixtureHost
  readonly chain: RunningAnvil
  readonly deployment: Deployment
  readonly clients: PolicyIds
  readonly networks: Partial<Record<Network, ExplorerNetwork>>
  readonly chaosUrl?: string | undefined
}): StackDescription {
  const { service, control, host, chain, deployment, clients, networks } = stack
  const keys = Object.entries(devApiKeys).map(([name, { key }]) => [name, key])
  return {
    version: 1,
    pid: process.pid,
    gatewayUrl: service.gatewayUrl,
    ...(service.explorerUrl === undefined ? {} : { explorerUrl: service.explorerUrl }),
    ...(service.adminUrl === undefined ? {} : { adminUrl: service.adminUrl }),
    controlUrl: control.url,
    fixtureHostUrl: host.url,
    ...(stack.chaosUrl === undefined ? {} : { chaosUrl: stack.chaosUrl }),
    brand: service.brand,
    apiKeys: Object.fromEntries(keys) as StackDescription['apiKeys'],
    attesters: [devAccounts.gateway.address],
    roles: {
      protocolOwner: devAccounts.owner.address,
      aggregator: devAccounts.gateway.address,
      gateway: devAccounts.gateway.address,
    },
    permissions: chainPermissions(deployment),
    contracts: {
      artifacts: artifactDirectory,
      addresses: {
        TaskManager: deployment.protocol.taskManager,
        OperatorRegistry: deployment.protocol.operatorRegistry,
        PolicyFactory: deployment.protocol.policyFactory,
        IdentityRegistry: deployment.registries.identityRegistry,
        ConfidentialDataRegistry: deployment.registries.confidentialDataRegistry,
        SampleToken: deployment.token,
      },
    },
    token: deployment.token,
    contentDirectory,
    ...describeLocalFixtures({ chain, deployment, clients, networks }),
  }
}

/** The part that does not depend on the service. */
export function describeLocalFixtures(bed: {
  readonly chain: RunningAnvil
  readonly deployment: Deployment
  readonly clients: PolicyIds
  readonly networks: Partial<Record<Network, ExplorerNetwork>>
}): Pick<StackDescription, 'chain' | 'networks' | 'accounts' | 'operators' | 'clients'> {
  const { chain, deployment, clients, networks } = bed
  const { owner, sender, recipient, provider, stranger } = devAccounts
  return {
    chain: {
      rpcUrl: chain.url,
      chainId: chain.chainId,
      taskManager: deployment.protocol.taskManager,
      operatorRegistry: deployment.protocol.operatorRegistry,
      policyFactory: deployment.protocol.policyFactory,
      ...deployment.registries,
    },
    networks: Object.fromEntries(
      Object.entries(networks).map(([name, { rpcUrl, chainId, taskManager, policyFactory }]) => [
        name,
        { rpcUrl, chainId, taskManager, policyFactory },
      ]),
    ),
    accounts: { owner, sender, recipient, provider, stranger },
    operators: deployment.operators.map(({ address, id }, at) => ({
      address,
      id,
      stake: devOperators[at]!.stake.toString(),
    })),
    clients: Object.fromEntries(
      Object.entries(deployment.clients).map(([name, client]) => [
        name,
        { ...describeClient(client, deployment.contents), policyId: clients[name]! },
      ]),
    ),
  }
}
