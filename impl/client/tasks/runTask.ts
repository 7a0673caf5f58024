import { sendTask } from '../actions/sendTask.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { SendTaskParams } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import type { TaskSuccess } from './taskOutcome.ts'
import { type WaitForTaskOptions, waitForTask } from './waitForTask.ts'

export type RunTaskOptions = WaitForTaskOptions &
  Pick<CallOptions, 'retries'> & {
    /** Called with the id as soon as the task exists: store it, to wait again after a restart. */
    readonly onTask?: ((taskId: Hex) => void) | undefined
  }

/**
 * Creates a task with `sendTask` and waits for it: like `createTask`, and it survives lost
 * connections. The result has no `validate_calldata`, which `spendAttestation` does not need.
 *
 * @throws the errors of `sendTask` and `waitForTask`
 */
export async function runTask(
  client: BaseClient,
  params: SendTaskParams,
  options: RunTaskOptions = {},
): Promise<TaskSuccess> {
  const { onTask, retries, ...rest } = options
  const { task_id: taskId } = await sendTask(client, params, { signal: rest.signal, retries })
  onTask?.(taskId)
  return await waitForTask(client, { taskId }, rest)
}
