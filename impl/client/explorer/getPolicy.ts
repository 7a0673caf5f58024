import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'

/** One policy (section 2.10). @throws PolicyNotFoundError for an address that is unknown on the network */
export async function getPolicy(
  explorer: BaseExplorer,
  { address }: { readonly address: Hex },
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['getPolicy']['result']> {
  const where = { path: '/v1/policy/{address}', named: { address } } as const
  return (await explorer.request('getPolicy', where, options)).result
}
