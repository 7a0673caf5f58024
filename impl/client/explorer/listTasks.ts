import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import type { PageQuery } from './pages.ts'

/** A page of the tasks of the network (section 4.12), newest first (decision X1). */
export async function listTasks(
  explorer: BaseExplorer,
  query: PageQuery = {},
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['listTasks']['result']> {
  const where = { path: '/v1/task', query } as const
  return (await explorer.request('listTasks', where, options)).result
}
