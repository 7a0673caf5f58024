import type { ExplorerTaskSummary } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { iteratePages, type RowsQuery } from './pages.ts'

/**
 * All tasks of the network, newest first (decision X1); each once, also while rows arrive. Requests a page when it
 * is needed.
 */
export const iterateTasks = (
  explorer: BaseExplorer,
  rows: RowsQuery = {},
  options?: ExplorerCallOptions,
): AsyncGenerator<ExplorerTaskSummary, void, undefined> =>
  iteratePages(
    (query, call) => explorer.request('listTasks', { path: '/v1/task', query }, call),
    (row: ExplorerTaskSummary) => row.id,
    rows,
    options,
  )
