import { mostResponses, type TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { TaskRecord } from '../../store/tasks.ts'

/**
 * The latest state of a task from its record, for subscribers after the end or at a gateway that
 * does not execute the task (decision W4). The operator responses are the longer of the stored and
 * the received ones: both are cumulative.
 */
export function storedUpdate(record: TaskRecord, heard?: TaskUpdate): TaskUpdate {
  const { id, status, finishedAt, updatedAt, result } = record
  const event = finishedAt === null ? 'status_update' : status === 'success' ? 'success' : 'failure'
  return {
    event,
    task_id: id,
    timestamp: Math.floor((finishedAt ?? updatedAt).getTime() / 1000),
    data: {
      status,
      operator_responses: mostResponses(record.operatorResponses, heard?.data.operator_responses),
      result,
      progress: finishedAt === null ? 0 : 100,
    },
  }
}

export const isFinal = ({ event }: TaskUpdate): boolean =>
  event === 'success' || event === 'failure'
