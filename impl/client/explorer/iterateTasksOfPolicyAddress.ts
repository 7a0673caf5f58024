import type { ExplorerTaskSummary } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { iteratePages, type RowsQuery } from './pages.ts'

/**
 * All tasks evaluated with a policy, with any parameters; an unknown address has
 * none, newest first (decision X1); each once, also while rows arrive. Requests a page when it
 * is needed.
 */
export const iterateTasksOfPolicyAddress = (
  explorer: BaseExplorer,
  { policyAddress, ...rows }: RowsQuery & { readonly policyAddress: Hex },
  options?: ExplorerCallOptions,
): AsyncGenerator<ExplorerTaskSummary, void, undefined> =>
  iteratePages(
    (query, call) =>
      explorer.request(
        'listTasksOfPolicyAddress',
        {
          path: '/v1/policy/address/{policy_address}/task',
          named: { policy_address: policyAddress },
          query,
        },
        call,
      ),
    (row: ExplorerTaskSummary) => row.id,
    rows,
    options,
  )
