import { policyFixtures } from 'polgate-fixtures/catalogue.ts'
import { clientVariants } from 'polgate-fixtures/clientVariants.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { zeroAddress } from 'viem'
import type { Deployment } from './deployFixtures.ts'
import { devAccounts } from './devKeys.ts'

type Permissions = NonNullable<StackDescription['permissions']>

/** What the contracts of a local deployment let only certain accounts do. */
export function chainPermissions({
  protocol,
  registries,
  operators,
  clients,
}: Pick<Deployment, 'protocol' | 'registries' | 'operators' | 'clients'>): Permissions {
  const { taskManager, operatorRegistry } = protocol
  const { identityRegistry, confidentialDataRegistry } = registries
  const { owner, gateway, provider, stranger } = devAccounts
  const permission = (
    { address: account }: { readonly address: Address },
    contract: string,
    addresses: readonly Address[],
    ...functions: readonly string[]
  ): Permissions[number] => ({
    ...{ account, contract },
    addresses: [...addresses],
    functions: [...functions],
  })
  const byOwner = new Map<Address, Address[]>()
  const executing = new Map<Address, Address[]>()
  for (const variant of clientVariants(policyFixtures(), stranger.address)) {
    const client = clients[variant.name]
    const account = variant.owner ?? owner.address
    if (client === undefined || account === zeroAddress) continue
    const add = (to: Map<Address, Address[]>) =>
      to.set(account, [...(to.get(account) ?? []), client.policyClient])
    add(byOwner)
    if (client.kind !== 'tokenVault') add(executing)
  }
  const ownership = ['transferOwnership', 'renounceOwnership'] as const
  return [
    permission(owner, 'TaskManager', [taskManager], 'setAggregator', ...ownership),
    permission(gateway, 'TaskManager', [taskManager], ...posting),
    permission(
      ...([owner, 'OperatorRegistry', [operatorRegistry]] as const),
      ...['createQuorum', 'registerOperator', 'deregisterOperator', 'updateStake', ...ownership],
    ),
    // Each only itself.
    ...operators.map((operator) =>
      permission(operator, 'OperatorRegistry', [operatorRegistry], 'deregisterOperator'),
    ),
    permission(owner, 'IdentityRegistry', [identityRegistry], 'setGateway', ...ownership),
    permission(
      ...([owner, 'ConfidentialDataRegistry', [confidentialDataRegistry]] as const),
      ...['registerProvider', 'removeProvider', ...ownership],
    ),
    permission(
      ...([provider, 'ConfidentialDataRegistry', [confidentialDataRegistry]] as const),
      // It removes only itself.
      ...['publish', 'grant', 'revoke', 'removeProvider'],
    ),
    ...[...byOwner].map(([address, addresses]) =>
      permission(
        { address },
        'PolicyClient',
        addresses,
        ...['setPolicy', 'setOwner', 'transferOwnership'],
      ),
    ),
    ...[...executing].map(([address, addresses]) =>
      permission({ address }, 'IntentCaller', addresses, 'setTargetAllowed'),
    ),
  ]
}

const posting = ['createNewTask', 'respondToTask', 'multicall'] as const
