import { type Bound, bindActions } from '../client/bindActions.ts'
import {
  type BaseExplorer,
  createBaseExplorer,
  type ExplorerOptions,
} from './createBaseExplorer.ts'
import { findTasks } from './findTasks.ts'
import { getPolicy } from './getPolicy.ts'
import { getStats } from './getStats.ts'
import { getTask } from './getTask.ts'
import { iteratePolicies } from './iteratePolicies.ts'
import { iterateTasks } from './iterateTasks.ts'
import { iterateTasksOfPolicyAddress } from './iterateTasksOfPolicyAddress.ts'
import { iterateTasksOfPolicyId } from './iterateTasksOfPolicyId.ts'
import { listPolicies } from './listPolicies.ts'
import { listTasks } from './listTasks.ts'
import { listTasksOfPolicyAddress } from './listTasksOfPolicyAddress.ts'
import { listTasksOfPolicyId } from './listTasksOfPolicyId.ts'
import { waitForExplorerTask } from './waitForExplorerTask.ts'

const actions = {
  getTask,
  listTasks,
  iterateTasks,
  getPolicy,
  listPolicies,
  iteratePolicies,
  listTasksOfPolicyId,
  iterateTasksOfPolicyId,
  listTasksOfPolicyAddress,
  iterateTasksOfPolicyAddress,
  getStats,
  findTasks,
  waitForExplorerTask,
}

export type ExplorerClient = BaseExplorer & Bound<typeof actions>

/**
 * A client of the explorer with all its actions as methods (section 4.12). The key stays on servers:
 * it is sent with every request.
 *
 * @example for await (const task of createExplorerClient({ url, key }).iterateTasks()) show(task.id)
 * @throws InvalidOptionsError
 */
export function createExplorerClient(options: ExplorerOptions): ExplorerClient {
  const explorer = createBaseExplorer(options)
  return { ...explorer, ...bindActions(explorer, actions) }
}
