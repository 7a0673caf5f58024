import { ChainReadError } from 'polgate-chain/errors.ts'
import { unixSeconds } from 'polgate-protocol/clock.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { admit } from './admit.ts'
import type { Caller } from './caller.ts'
import { type ExecuteTaskParts, executeTask } from './executeTask.ts'
import type { TaskAdmissionLimit } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'

/**
 * `svc_createTask` (section 4.2): admits a task, executes it and returns the result. Failures are
 * reported in the result, with `status: failed` or `timeout`. So are some rejections that create no
 * task: an invalid signature, a client that cannot be read, a duplicate intent, an unavailable
 * chain.
 *
 * @throws ServiceError -32602, -32618, -32619; -32005 when too many tasks are in flight
 */
export async function createTask(
  deps: TaskDeps,
  parts: ExecuteTaskParts & { readonly load: TaskAdmissionLimit },
  params: CreateTaskParams,
  caller: Caller,
): Promise<TaskResult> {
  const admitted = await admit(deps, parts, 'createTask', params, caller).catch(
    (error: unknown) => {
      if (isToldInResult(error)) return error
      throw error
    },
  )
  if (admitted instanceof Error) return refused(deps, admitted)
  return await executeTask(deps, parts, admitted)
}

const isToldInResult = (error: unknown): error is Error =>
  error instanceof ChainReadError ||
  error instanceof TaskFailure ||
  (error instanceof ServiceError && reportedInResult.includes(error.code))

const reportedInResult: readonly number[] = [errorCode.policyEvaluation, errorCode.contract]

/** The result of a request that created no task. */
const refused = (deps: TaskDeps, error: Error): TaskResult => ({
  status: error instanceof TaskFailure && error.failureType === 'timeout' ? 'timeout' : 'failed',
  aggregation_response: null,
  error: error.message,
  timestamp: unixSeconds(deps.clock),
})
