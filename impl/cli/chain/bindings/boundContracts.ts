import type { BaseContractName, ContractName } from 'polgate-chain/artifact.ts'
import type { Address } from 'viem'
import { CommandError } from '../../commandDefinition.ts'
import type { ServiceTarget } from '../../stack/serviceTarget.ts'

/** The contracts that a user talks to or derives from. */
export const boundContracts = [
  'ConfidentialDataRegistry',
  'IdentityRegistry',
  'OperatorRegistry',
  'Policy',
  'PolicyClient',
  'PolicyData',
  'PolicyFactory',
  'SampleClient',
  'SampleClientWithoutDomain',
  'TaskManager',
  'TokenVault',
] as const satisfies readonly (ContractName | BaseContractName)[]
export type BoundContract = (typeof boundContracts)[number]

/** What is known of where a contract is deployed. */
export type BoundAddresses = {
  readonly chainId: number
  /** Of the only one. */
  readonly address?: Address | undefined
  /** Of several, by their names. */
  readonly addresses: Readonly<Record<string, Address>>
}

/** Sorted, each once; all of them where none is named. @throws CommandError for an unknown name */
export function namedContracts(names: readonly string[]): readonly BoundContract[] {
  for (const name of names)
    if (!boundContracts.some((each) => each === name))
      throw new CommandError(`'${name.slice(0, 60)}' is not a contract of the service`, {
        hint: `Contracts are ${boundContracts.join(', ')}.`,
      })
  return names.length === 0 ? boundContracts : boundContracts.filter((each) => names.includes(each))
}

/** Where the target has a contract. */
export function addressesOf(contract: BoundContract, target: ServiceTarget): BoundAddresses {
  const { chain, clients, stack } = target
  const single: Readonly<Record<string, string | undefined>> = {
    TaskManager: chain?.taskManager,
    OperatorRegistry: chain?.operatorRegistry,
    PolicyFactory: chain?.policyFactory,
    IdentityRegistry: chain?.identityRegistry,
    ConfidentialDataRegistry: chain?.confidentialDataRegistry,
  }
  const of = Object.entries(clients).flatMap(
    ([name, client]): readonly (readonly [string, Address])[] => {
      if (contract === 'Policy') return [[name, client.policyAddress]]
      if (contract === 'PolicyData')
        return client.policyData.map(({ packId, address }) => [`${name}/${packId}`, address])
      return contract === 'PolicyClient' || client.contract === contract
        ? [[name, client.policyClient]]
        : []
    },
  )
  return {
    chainId: chain?.chainId ?? stack?.chain.chainId ?? 0,
    address: single[contract] as Address | undefined,
    addresses: Object.fromEntries(of.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
