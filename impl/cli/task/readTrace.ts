import {
  createExplorerClient,
  type ExplorerTaskDetail,
  type ServiceClient,
} from 'polgate-client/index.ts'
import { latestUpdate, type TaskTrace, taskTraceOf } from 'polgate-client/trace/taskTrace.ts'
import { keyOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import { taskRecordOf } from './taskRecord.ts'

const withinMs = 20_000

/**
 * Collects what gateway, control listener and explorer know of a task: its state now, if it is in progress.
 *
 * @throws the errors of `watchTask` of the SDK
 */
export async function readTrace(
  target: ServiceTarget,
  client: ServiceClient,
  taskId: `0x${string}`,
): Promise<TaskTrace> {
  const [update, record, row] = await Promise.all([
    latestUpdate(client, taskId, AbortSignal.timeout(withinMs)),
    taskRecordOf(target, taskId),
    explorerRow(target, taskId),
  ])
  return taskTraceOf({ taskId, state: update.data, record, row, operators: target.operators })
}

async function explorerRow(
  target: ServiceTarget,
  taskId: `0x${string}`,
): Promise<ExplorerTaskDetail | undefined> {
  const { explorerUrl, brand, explorerNetwork } = target
  if (explorerUrl === undefined) return undefined
  try {
    const explorer = createExplorerClient({
      url: explorerUrl.replace(/\/+$/, ''),
      key: keyOf(target, ['read', 'rpc']),
      brand,
      timeoutMs: withinMs,
      ...(explorerNetwork === undefined ? {} : { network: explorerNetwork }),
    })
    return await explorer.getTask({ taskId })
  } catch {
    // A part that is missing, which the trace says.
    return undefined
  }
}
