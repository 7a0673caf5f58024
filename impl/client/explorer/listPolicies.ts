import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import type { PageQuery } from './pages.ts'

/** A page of the policies of the network (section 4.12), newest first (decision X1). */
export async function listPolicies(
  explorer: BaseExplorer,
  query: PageQuery = {},
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['listPolicies']['result']> {
  const where = { path: '/v1/policy', query } as const
  return (await explorer.request('listPolicies', where, options)).result
}
