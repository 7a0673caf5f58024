import type { NamedAddress } from 'polgate-protocol/control/chain.ts'
import { control } from '../../data/control.ts'
import { target } from '../../data/target.ts'

/** The addresses of the target that have a name. @throws ApiError */
export async function readNames(): Promise<readonly NamedAddress[]> {
  const { has, contracts } = target()
  if (has.control) return await control.get<NamedAddress[]>('/chain/accounts')
  return Object.entries(contracts).map(([name, address]) => ({
    ...{ name, role: 'contract' },
    address: address as NamedAddress['address'],
  }))
}

export type Names = ReadonlyMap<string, string>

/** Names by address in lower case. */
export const namesOf = (addresses: readonly NamedAddress[]): Names =>
  new Map(addresses.map(({ address, name }) => [address.toLowerCase(), name]))
