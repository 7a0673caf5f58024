import type { ExplorerTaskDetail } from '../generated/explorerTypes.ts'
import type { TaskIntent } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { getTask } from './getTask.ts'
import { iterateTasks } from './iterateTasks.ts'

export type FindTasksQuery = {
  readonly policyClient: Hex
  readonly intent: TaskIntent
  /** Tasks that were created before are not searched. */
  readonly since: Date
}

const number = (value: unknown): bigint | undefined =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : undefined

const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()

/** The explorer shows an intent with camelCase members (section 2.2). */
function isIntent(shown: Readonly<Record<string, unknown>>, sent: TaskIntent): boolean {
  return (
    same(shown.from, sent.from) &&
    same(shown.to, sent.to) &&
    same(shown.data, sent.data) &&
    same(shown.functionSignature, sent.function_signature) &&
    number(shown.value) === BigInt(sent.value) &&
    number(shown.chainId) === BigInt(sent.chain_id)
  )
}

/**
 * The tasks of an intent, newest first, for a caller who has lost the answer to `createTask` or
 * `sendTask` (TaskStateUnknownError). The explorer may show a task some seconds after its creation.
 */
export async function* findTasks(
  explorer: BaseExplorer,
  { policyClient, intent, since }: FindTasksQuery,
  options?: ExplorerCallOptions,
): AsyncGenerator<ExplorerTaskDetail, void, undefined> {
  let before = Number.NEGATIVE_INFINITY
  for await (const row of iterateTasks(explorer, {}, options)) {
    const at = Date.parse(row.task_created_at ?? row.updated_at)
    // Tasks that never reached the chain have no place in the order, which is open as well (decision
    // X1): the search ends where an old task follows a newer one.
    if (row.task_created_at !== null) {
      if (at < since.getTime() && before > at) return
      before = at
    }
    if (at < since.getTime()) continue
    if (!same(row.policy_client_address, policyClient)) continue
    if (!same(row.sender_address, intent.from)) continue
    const task = await getTask(explorer, { taskId: row.id }, options)
    if (isIntent(task.intent, intent)) yield task
  }
}
