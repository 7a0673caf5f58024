import type { NamedAddress } from 'polgate-protocol/control/chain.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { Deployment } from './deployFixtures.ts'
import { devAccounts } from './devKeys.ts'

/** The addresses of a local stack by what they are: accounts, operators, contracts, clients. */
export function namedAddresses({
  protocol,
  registries,
  token,
  operators,
  clients,
}: Deployment): NamedAddress[] {
  const all = (role: NamedAddress['role'], named: Readonly<Record<string, Address>>) =>
    Object.entries(named).map(([name, address]) => ({ name, address, role }))
  const { gateway, ...accounts } = devAccounts
  return [
    ...Object.entries({ ...accounts, aggregator: gateway }).map(([name, { address }]) => ({
      ...{ name, address },
      role: 'account' as const,
    })),
    ...operators.map(({ address }, at) => ({
      ...{ name: `operator ${at}`, address },
      role: 'operator' as const,
    })),
    ...all('contract', {
      TaskManager: protocol.taskManager,
      OperatorRegistry: protocol.operatorRegistry,
      PolicyFactory: protocol.policyFactory,
      IdentityRegistry: registries.identityRegistry,
      ConfidentialDataRegistry: registries.confidentialDataRegistry,
      SampleToken: token,
    }),
    ...Object.entries(clients).map(([name, { policyClient: address }]) => ({
      ...{ name, address },
      role: 'client' as const,
    })),
  ]
}
