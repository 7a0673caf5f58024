import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { TaskStateUnknownError } from '../errors/taskErrors.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { SendTaskParams, SendTaskResult } from '../generated/rpcTypes.ts'

/**
 * Creates a task and returns its id at once (section 4.3): follow it with `watchTask`, or wait with
 * `waitForTask`. Needs RpcRead.
 *
 * @throws TaskExistsError, PolicyNotFoundError, ContractError, InvalidParamsError and others by
 * cause; TaskStateUnknownError if the answer was lost
 */
export async function sendTask(
  client: BaseClient,
  params: SendTaskParams,
  options?: CallOptions,
): Promise<SendTaskResult> {
  const result = await client.request('sendTask', params, options)
  if (/^0x[0-9a-fA-F]{64}$/.test(String(result?.task_id))) return result
  const metaMessages = [`Method: ${client.brand.methodPrefix}sendTask`]
  const cause = new ResponseMalformedError('the result has no task_id', { metaMessages })
  throw new TaskStateUnknownError({ cause, metaMessages, details: cause.shortMessage })
}
