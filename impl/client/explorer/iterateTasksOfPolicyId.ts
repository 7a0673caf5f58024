import type { ExplorerTaskSummary } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { iteratePages, type RowsQuery } from './pages.ts'

/**
 * All tasks evaluated with a policy and its parameters; an unknown id has none, newest first (decision X1); each once, also while rows arrive. Requests a page when it
 * is needed.
 */
export const iterateTasksOfPolicyId = (
  explorer: BaseExplorer,
  { policyId, ...rows }: RowsQuery & { readonly policyId: Hex },
  options?: ExplorerCallOptions,
): AsyncGenerator<ExplorerTaskSummary, void, undefined> =>
  iteratePages(
    (query, call) =>
      explorer.request(
        'listTasksOfPolicyId',
        { path: '/v1/policy/id/{policy_id}/task', named: { policy_id: policyId }, query },
        call,
      ),
    (row: ExplorerTaskSummary) => row.id,
    rows,
    options,
  )
