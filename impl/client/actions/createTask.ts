import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { CreateTaskParams } from '../generated/rpcTypes.ts'
import { type TaskSuccess, taskOutcome } from '../tasks/taskOutcome.ts'

/** Default of the gateway, seconds (section 4.2). */
const defaultTimeout = 30
/** For admission and the way of the answer. */
const marginMs = 30_000

/**
 * Creates a task and returns its result when operators have signed it (section 4.2); a signed
 * denial is a result, too: see `taskDecision`. Needs RpcRead. Where the connection may break, prefer
 * `runTask`: its task can be waited for again.
 *
 * @param params.timeout seconds that the task may take; default 30
 * @param options.timeoutMs milliseconds that the call may take; default: that timeout and 30 s
 * @throws TaskTimeoutError, TaskExistsError, QuorumNotReachedError, OracleFailedError,
 * RegoFailedError, TaskFailedError and others by cause; TaskStateUnknownError if the answer was lost
 */
export async function createTask(
  client: BaseClient,
  params: CreateTaskParams,
  options: CallOptions = {},
): Promise<TaskSuccess> {
  const timeoutMs = (params.timeout ?? defaultTimeout) * 1000 + marginMs
  const result = await client.request('createTask', params, { timeoutMs, ...options })
  return taskOutcome(result, [`Method: ${client.brand.methodPrefix}createTask`])
}
