import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import type { PageQuery } from './pages.ts'

/** A page of the tasks evaluated with a policy, with any parameters; an unknown address has
 * none (section 4.12), newest first (decision X1). */
export async function listTasksOfPolicyAddress(
  explorer: BaseExplorer,
  { policyAddress, ...query }: PageQuery & { readonly policyAddress: Hex },
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['listTasksOfPolicyAddress']['result']> {
  const where = {
    path: '/v1/policy/address/{policy_address}/task',
    named: { policy_address: policyAddress },
    query,
  } as const
  return (await explorer.request('listTasksOfPolicyAddress', where, options)).result
}
