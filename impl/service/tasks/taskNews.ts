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

/** Tells of one task on its way (section 6.1, decision W4); its end is told by `announceEnd`. */
export type TaskNewsWriter = {
  pending(): void
  processing(): void
  /** One of `of` operators has answered a phase, with an error or without. */
  answered(operator: Operator, answer: { phase: Phase; of: number; error?: unknown }): void
}

type NewsDeps = Pick<TaskDeps, 'updates' | 'clock'>

/** Percent: what a phase begins and ends with. The end of the task is 100. */
const progressOf = { pending: 0, processing: 10, data: [10, 50], signature: [50, 95] } as const

/**
 * Updates are cumulative: the last one tells all that the earlier ones did.
 *
 * @param stored what operators had answered before this process had the task
 */
export function taskNews(
  { updates, clock }: NewsDeps,
  taskId: Bytes32,
  stored: readonly OperatorResponse[] = [],
): TaskNewsWriter {
  const counts: Record<Phase, number> = { data: 0, signature: 0 }
  // Of a task that another gateway began with, what has been heard here goes on.
  let last = updates.latest(taskId)
  let responses: readonly OperatorResponse[] = last?.data.operator_responses ?? stored
  let progress = last?.data.progress ?? 0

  function publish(event: TaskUpdate['event'], status: 'pending' | 'processing', percent: number) {
    // Once its end has been told, by whomever, a task has no more news.
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

/** What the operators of a task have answered, as far as this process knows. */
export const responsesOf = (
  { updates }: Pick<NewsDeps, 'updates'>,
  taskId: Bytes32,
): readonly OperatorResponse[] | undefined => updates.latest(taskId)?.data.operator_responses

/**
 * Tells the end of a task, and what notification it has; to be called once that is stored.
 *
 * @param result as it is stored
 * @param stored what operators had answered, of a task that this process has not followed from the
 * beginning
 */
export function announceEnd(
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
