import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import type { TaskRecord } from '../store/tasks.ts'
import { type FinishDeps, finishWithFailure, storedEnd } from './finishTask.ts'
import { taskTimeout } from './taskErrors.ts'

const pollMs = 100

/**
 * The result of a task that another gateway now executes. After the deadline the task ends as
 * timeout, as it would there.
 *
 * @throws ServiceError -32603 when this gateway closes first
 */
export async function awaitEndElsewhere(
  deps: FinishDeps,
  { id, deadline }: Pick<TaskRecord, 'id' | 'deadline'>,
  closing: AbortSignal,
): Promise<TaskResult> {
  while (deps.clock() < deadline.getTime()) {
    const end = await storedEnd(deps, id)
    if (end !== undefined) return end
    if (closing.aborted) throw continuesElsewhere(id)
    await pause(pollMs, undefined, { signal: closing }).catch(() => {})
  }
  return await finishWithFailure(deps, id, taskTimeout())
}

/** For callers: this gateway stops, and the task has not ended. */
export const continuesElsewhere = (id: string) =>
  new ServiceError(`This gateway is shutting down; task ${id} continues on another gateway`, {
    code: errorCode.internalError,
    clause: 'section 3',
    hint: 'Subscribe to the task to receive its result.',
    retryable: true,
  })
