import type { ExplorerPolicy } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { iteratePages, type RowsQuery } from './pages.ts'

/**
 * All policies of the network, newest first (decision X1); each once, also while rows arrive. Requests a page when it
 * is needed.
 */
export const iteratePolicies = (
  explorer: BaseExplorer,
  rows: RowsQuery = {},
  options?: ExplorerCallOptions,
): AsyncGenerator<ExplorerPolicy, void, undefined> =>
  iteratePages(
    (query, call) => explorer.request('listPolicies', { path: '/v1/policy', query }, call),
    (row: ExplorerPolicy) => row.address,
    rows,
    options,
  )
