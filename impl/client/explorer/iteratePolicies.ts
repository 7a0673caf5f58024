import type { ExplorerPolicy } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import { type IterateOptions, iteratePages } from './pages.ts'

/**
 * All policies of the network, newest first (decision X1); each once, also while rows arrive. Requests a page when it
 * is needed.
 */
export const iteratePolicies = (
  explorer: BaseExplorer,
  options: IterateOptions = {},
): AsyncGenerator<ExplorerPolicy, void, undefined> =>
  iteratePages(
    (query, call) => explorer.request('listPolicies', { path: '/v1/policy', query }, call),
    (row: ExplorerPolicy) => row.address,
    options,
  )
