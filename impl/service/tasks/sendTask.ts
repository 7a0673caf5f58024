import { ChainReadError } from 'polgate-chain/errors.ts'
import { unixSeconds } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { SendTaskParams, SendTaskResult } from 'polgate-protocol/methods/sendTask.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { type ExecuteTaskParts, executeTask } from './executeTask.ts'
import type { TaskAdmissionLimit } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'

/**
 * `svc_sendTask` (section 4.3): responds as soon as the task is stored as pending, and executes it
 * in the background within the default timeout. Later errors become the task's failure and are
 * published as updates.
 *
 * @throws ServiceError -32602; -32615 for an invalid signature; -32616 for a client that cannot be
 * read, `TaskAlreadyExists` (decision T4), and an unavailable chain; -32618, -32619; -32005 when
 * too many tasks are in flight
 */
export async function sendTask(
  deps: TaskDeps,
  parts: ExecuteTaskParts & {
    readonly load: TaskAdmissionLimit
    /** Registers background work, which the service awaits when it closes. */
    readonly background: (work: Promise<unknown>) => void
  },
  params: SendTaskParams,
  caller: Caller,
): Promise<SendTaskResult> {
  const admitted = await admit(deps, parts, 'sendTask', params, caller).catch((error: unknown) => {
    if (error instanceof ChainReadError || error instanceof TaskFailure) throw notAdmitted(error)
    throw error
  })
  const { id } = admitted.record
  const carried = executeTask(deps, parts, admitted).catch((error: unknown) => {
    // A service error is the task's failure and has been published.
    if (error instanceof ServiceError) return
    deps.log.warn({ task: id, err: error }, 'end of a task could not be stored')
  })
  parts.background(carried)
  const topic = `${deps.brand.topicPrefix}${id}`
  return {
    task_id: id,
    subscription_topic: topic,
    message: `Task submitted; subscribe to ${topic} for its updates`,
    timestamp: unixSeconds(deps.clock),
  }
}

/** No task was created: the caller has to send it again. */
const notAdmitted = (cause: ChainReadError | TaskFailure) =>
  new ServiceError(cause.message, {
    code: cause instanceof ChainReadError ? errorCode.contract : errorCode.internalError,
    clause: 'section 7.2',
    hint: 'Send the task again.',
    retryable: true,
    cause,
  })
