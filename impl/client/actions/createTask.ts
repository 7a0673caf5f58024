import { type CallOptions, platformFetch } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { CreateTaskParams } from '../generated/rpcTypes.ts'
import { type TaskSuccess, taskOutcome } from '../tasks/taskOutcome.ts'

/** Default of the gateway, seconds (section 4.2). */
const defaultTimeout = 30
/** For admission and the way of the answer. */
const marginMs = 30_000
/** Node's fetch gives up after 300 s without headers, which come with the answer. */
const longestInNodeMs = 270_000

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return process?.versions?.node !== undefined
}

/**
 * Creates a task and returns its result when operators have signed it (section 4.2); a signed
 * denial is a result, too: see `taskDecision`. Needs RpcRead. Where the connection may break, prefer
 * `runTask`: its task can be waited for again.
 *
 * @param params.timeout seconds that the task may take; default 30. Over 270 s Node's own fetch would
 * lose the answer: use `runTask` then, or a client with another `fetch`
 * @param options.timeoutMs milliseconds that the call may take; default: that timeout and 30 s
 * @throws TaskTimeoutError, TaskExistsError, QuorumNotReachedError, OracleFailedError,
 * RegoFailedError, TaskFailedError and others by cause; TaskStateUnknownError if the answer was lost;
 * InvalidOptionsError for a timeout that Node's own fetch does not wait for
 */
export async function createTask(
  client: BaseClient,
  params: CreateTaskParams,
  options: CallOptions = {},
): Promise<TaskSuccess> {
  const taskMs = (params.timeout ?? defaultTimeout) * 1000
  const timeoutMs = options.timeoutMs ?? taskMs + marginMs
  if (client.fetch === platformFetch && isNode() && Math.min(taskMs, timeoutMs) > longestInNodeMs)
    throw new InvalidOptionsError(
      `The timeout of the task is ${params.timeout} s, and the fetch of Node ends after 300 s without an answer.`,
      'Use runTask, which waits over the WebSocket, or pass a fetch without that limit to the client.',
    )
  const result = await client.request('createTask', params, { ...options, timeoutMs })
  return taskOutcome(result, [`Method: ${client.brand.methodPrefix}createTask`])
}
