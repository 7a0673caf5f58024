import { unixSeconds } from '../protocol/clock.ts'
import type { TaskFailureNotification } from '../protocol/notification.ts'
import type { Bytes32 } from '../protocol/scalars.ts'
import type { TaskResult, TaskView } from '../protocol/task.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskFailure } from './taskErrors.ts'

type FinishDeps = Pick<TaskDeps, 'store' | 'clock' | 'uuid'>

/** Stores a success. When the task has ended before, that end stands and is the answer (decision T5). */
export async function finishWithSuccess(deps: FinishDeps, result: TaskResult): Promise<TaskResult> {
  const id = result.task_id as Bytes32
  const operatorErrors = result.operator_errors
  const ended = await deps.store.tasks.finish(id, { status: 'success', result, operatorErrors })
  return ended ? result : storedResult(deps, id, result)
}

/** Stores a failure and, in the same transaction, the notification that tells of it (section 2.8). */
export async function finishWithFailure(
  deps: FinishDeps,
  id: Bytes32,
  failure: TaskFailure,
  task?: TaskView,
): Promise<TaskResult> {
  const status = failure.failureType === 'timeout' ? 'timeout' : 'failed'
  const operatorErrors = failure.operatorErrors.length === 0 ? undefined : failure.operatorErrors
  const result: TaskResult = {
    task_id: id,
    status,
    aggregation_response: null,
    ...(task === undefined ? {} : { task }),
    ...(operatorErrors === undefined ? {} : { operator_errors: [...operatorErrors] }),
    error: failure.message,
    timestamp: unixSeconds(deps.clock),
  }
  const ended = await deps.store.tasks.finish(id, {
    status,
    result,
    error: failure.message,
    operatorErrors,
    notification: notificationOf(deps, id, failure),
  })
  return ended ? result : storedResult(deps, id, result)
}

export const notificationOf = (
  { clock, uuid }: Pick<TaskDeps, 'clock' | 'uuid'>,
  id: Bytes32,
  failure: TaskFailure,
): TaskFailureNotification => ({
  notification_id: uuid(),
  task_id: id,
  timestamp: new Date(clock()).toISOString(),
  failure_type: failure.failureType,
  error_message: failure.message,
  context: failure.context,
  is_recoverable: failure.recoverable,
  retry_after_seconds: failure.recoverable ? 5 : null,
})

async function storedResult(deps: FinishDeps, id: Bytes32, ours: TaskResult): Promise<TaskResult> {
  return (await deps.store.tasks.get(id))?.result ?? ours
}
