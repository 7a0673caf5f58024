import type { NamedAddress } from 'polgate-protocol/control/chain.ts'
import type { ClientSummary, ControlPage } from 'polgate-protocol/control/policies.ts'
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { control } from '../data/control.ts'
import { target } from '../data/target.ts'
import { shortHex } from '../ui/Hex.tsx'

/**
 * The addresses of the target that have a name; of a local stack also the clients that were published on it, with
 * the short form of their address.
 *
 * @throws ApiError
 */
export async function readNames(signal: AbortSignal): Promise<readonly NamedAddress[]> {
  const { has, contracts } = target()
  if (!has.control)
    return Object.entries(contracts).map(([name, address]) => ({
      ...{ name, role: 'contract' },
      address: address as NamedAddress['address'],
    }))
  const [named, clients] = await Promise.all([
    control.get<NamedAddress[]>('/chain/accounts', signal),
    control.get<ControlPage<ClientSummary>>('/clients?size=100', signal),
  ])
  const known = namesOf(named)
  const others = clients.results.filter(({ address }) => !known.has(address.toLowerCase()))
  return [
    ...named,
    ...others.map(({ address }) => ({
      ...{ name: shortHex(address), address, role: 'client' as const },
    })),
  ]
}

export type Names = ReadonlyMap<string, string>

/** Names by address in lower case. */
export const namesOf = (addresses: readonly NamedAddress[]): Names =>
  new Map(addresses.map(({ address, name }) => [address.toLowerCase(), name]))

/** What `readNames` has read last. */
export const NamesContext = createContext<readonly NamedAddress[]>([])

/** The named addresses of these roles; of all without one. */
export function useNamed(role?: NamedAddress['role']): readonly NamedAddress[] {
  const all = useContext(NamesContext)
  return role === undefined ? all : all.filter((each) => each.role === role)
}

/** The name of an address; its short form without one. */
export function useNameOf(): (address: string) => string {
  const all = useContext(NamesContext)
  const names = useMemo(() => namesOf(all), [all])
  return (address) => names.get(address.toLowerCase()) ?? shortHex(address)
}
