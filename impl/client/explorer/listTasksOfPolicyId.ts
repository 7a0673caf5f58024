import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import type { PageQuery } from './pages.ts'

/** A page of the tasks evaluated with a policy and its parameters; an unknown id has none (section 4.12), newest first (decision X1). */
export async function listTasksOfPolicyId(
  explorer: BaseExplorer,
  { policyId, ...query }: PageQuery & { readonly policyId: Hex },
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['listTasksOfPolicyId']['result']> {
  const where = {
    path: '/v1/policy/id/{policy_id}/task',
    named: { policy_id: policyId },
    query,
  } as const
  return (await explorer.request('listTasksOfPolicyId', where, options)).result
}
