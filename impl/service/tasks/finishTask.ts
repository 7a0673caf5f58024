import { unixSeconds } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult, TaskView } from 'polgate-protocol/task.ts'
import type { OperatorResponse } from 'polgate-protocol/taskUpdate.ts'
import type { TaskPolicy } from '../store/tasks.ts'
import type { TaskDeps } from './taskDeps.ts'
import { type TaskFailure, TaskLost } from './taskErrors.ts'
import { publishEnd, responsesOf } from './taskProgress.ts'

export type FinishDeps = Pick<TaskDeps, 'store' | 'clock' | 'uuid' | 'updates'>

/** The result of an existing task. */
export type NamedResult = TaskResult & { task_id: Bytes32 }

/** With `worker`, the end is stored only while that worker owns the task. */
export type EndOptions = {
  readonly worker?: string | undefined
  /** Operator responses of a task that this process did not execute. */
  readonly responses?: readonly OperatorResponse[] | null | undefined
}

/**
 * Stores a success and, in the same transaction, its posting; then publishes it. If the task has
 * already ended, the stored end is returned (decision T5).
 *
 * @throws TaskLost
 */
export async function finishWithSuccess(
  deps: FinishDeps,
  result: NamedResult,
  options: Pick<EndOptions, 'worker'> & { readonly post: boolean },
): Promise<TaskResult> {
  const { task_id: id, operator_errors: operatorErrors } = result
  const operatorResponses = responsesOf(deps, id)
  const end = { status: 'success', result, operatorErrors, operatorResponses, ...options } as const
  const ended = await deps.store.tasks.finish(id, end)
  if (!ended) return await endedBefore(deps, id)
  publishEnd(deps, result)
  return result
}

/** Details of a failed task besides its failure. */
export type FailureOptions = EndOptions & {
  readonly task?: TaskView | undefined
  readonly policy?: TaskPolicy | undefined
}

/**
 * Stores a failure and, in the same transaction, its notification (section 2.8); then publishes
 * both.
 *
 * @throws TaskLost
 */
export async function finishWithFailure(
  deps: FinishDeps,
  id: Bytes32,
  failure: TaskFailure,
  { task, policy, worker, responses }: FailureOptions = {},
): Promise<TaskResult> {
  const status = failure.failureType === 'timeout' ? 'timeout' : 'failed'
  const operatorErrors = failure.operatorErrors.length === 0 ? undefined : failure.operatorErrors
  const result: NamedResult = {
    task_id: id,
    status,
    aggregation_response: null,
    ...(task === undefined ? {} : { task }),
    ...(operatorErrors === undefined ? {} : { operator_errors: [...operatorErrors] }),
    error: failure.message,
    timestamp: unixSeconds(deps.clock),
  }
  const notification = notificationOf(deps, id, failure)
  const ended = await deps.store.tasks.finish(id, {
    status,
    result,
    error: failure.message,
    operatorErrors,
    operatorResponses: responsesOf(deps, id),
    notification,
    policy,
    worker,
  })
  if (!ended) return await endedBefore(deps, id)
  publishEnd(deps, result, notification, responses ?? [])
  return result
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

/** The stored end, if any. If another gateway stored it, it is also sent to subscribers here. */
export async function storedEnd(deps: FinishDeps, id: Bytes32): Promise<TaskResult | undefined> {
  const record = await deps.store.tasks.get(id)
  const result = record?.result
  if (!result) return undefined
  if (deps.updates.latest(id) !== undefined) {
    const [stored] = await deps.store.notifications.forTask(id)
    publishEnd(deps, { ...result, task_id: id }, stored?.payload, record.operatorResponses ?? [])
  }
  return result
}

async function endedBefore(deps: FinishDeps, id: Bytes32): Promise<TaskResult> {
  const end = await storedEnd(deps, id)
  if (end === undefined) throw new TaskLost(id)
  return end
}
