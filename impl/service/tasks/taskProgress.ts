import { unixSeconds } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import {
  mostResponses,
  type OperatorResponse,
  type TaskUpdate,
} from 'polgate-protocol/taskUpdate.ts'
import type { Operator } from '../operators/operator.ts'
import { messageOf } from './operatorErrors.ts'
import type { TaskDeps } from './taskDeps.ts'

export type Phase = OperatorResponse['phase']

/**
 * Publishes the progress of one task (section 6.1, decision W4); its end is published by
 * `publishEnd`.
 */
export type TaskProgress = {
  pending(): void
  processing(): void
  /** One of `of` operators has answered in a phase, with or without an error. */
  answered(operator: Operator, answer: { phase: Phase; of: number; error?: unknown }): void
}

type NewsDeps = Pick<TaskDeps, 'updates' | 'clock'>

/** Percent at the start and end of a phase. The end of the task is 100. */
const progressOf = { pending: 0, processing: 10, data: [10, 50], signature: [50, 95] } as const

/**
 * Updates are cumulative: the last one contains all earlier ones.
 *
 * @param stored operator responses from before this process executed the task
 */
export function taskProgress(
  { updates, clock }: NewsDeps,
  taskId: Bytes32,
  stored: readonly OperatorResponse[] = [],
): TaskProgress {
  const counts: Record<Phase, number> = { data: 0, signature: 0 }
  // For a task that another gateway started, continue with its updates received here.
  let last = updates.latest(taskId)
  let responses: readonly OperatorResponse[] = last?.data.operator_responses ?? stored
  let progress = last?.data.progress ?? 0

  function publish(event: TaskUpdate['event'], status: 'pending' | 'processing', percent: number) {
    // No updates after the end, whichever process published it.
    if (last !== undefined && updates.latest(taskId) !== last) return
    progress = Math.max(progress, percent)
    last = {
      event,
      task_id: taskId,
      timestamp: unixSeconds(clock),
      data: { status, operator_responses: responses as OperatorResponse[], result: null, progress },
    }
    updates.publish(taskId, { kind: 'update', update: last })
  }

  return {
    pending: () => publish('status_update', 'pending', progressOf.pending),
    processing: () => publish('status_update', 'processing', progressOf.processing),
    answered({ address, id }, { phase, of, error }) {
      const failed = error !== undefined
      const response: OperatorResponse = {
        operator_address: address,
        operator_id: id,
        phase,
        success: !failed,
        error: failed ? messageOf(error) : null,
        timestamp: new Date(clock()).toISOString(),
      }
      responses = [...responses, response]
      counts[phase] += 1
      const [from, to] = progressOf[phase]
      const share = Math.min(1, counts[phase] / of)
      publish('operator_response', 'processing', Math.floor(from + (to - from) * share))
    },
  }
}

/** The operator responses of a task, as far as this process knows. */
export const responsesOf = (
  { updates }: Pick<NewsDeps, 'updates'>,
  taskId: Bytes32,
): readonly OperatorResponse[] | undefined => updates.latest(taskId)?.data.operator_responses

/**
 * Publishes the end of a task and its notification; call it after they are stored.
 *
 * @param result as stored
 * @param stored operator responses of a task that this process did not execute from the beginning
 */
export function publishEnd(
  { updates, clock }: NewsDeps,
  result: TaskResult & { task_id: Bytes32 },
  notification?: TaskFailureNotification,
  stored: readonly OperatorResponse[] = [],
): void {
  const { task_id, status } = result
  const operator_responses = mostResponses(responsesOf({ updates }, task_id), stored)
  const update: TaskUpdate = {
    event: status === 'success' ? 'success' : 'failure',
    task_id,
    timestamp: unixSeconds(clock),
    data: { status, operator_responses, result, progress: 100 },
  }
  updates.publish(task_id, { kind: 'update', update })
  if (notification !== undefined) updates.publish(task_id, { kind: 'notification', notification })
}
