import type { ExplorerOperations } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'

/** One task with all its details (section 2.9); members of events that have not happened are null. @throws NotFoundError for an id that is unknown on the network */
export async function getTask(
  explorer: BaseExplorer,
  { taskId }: { readonly taskId: Hex },
  options?: ExplorerCallOptions,
): Promise<ExplorerOperations['getTask']['result']> {
  const where = { path: '/v1/task/{task_id}', named: { task_id: taskId } } as const
  return (await explorer.request('getTask', where, options)).result
}
