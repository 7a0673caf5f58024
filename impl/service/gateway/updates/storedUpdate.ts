import { mostResponses, type TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { TaskRecord } from '../../store/tasks.ts'

/**
 * The latest state of a task as its record tells it, for those who come after the end or ask a
 * gateway that does not carry the task (decision W4). What operators have answered is the longer of
 * what is stored and what was heard: both are cumulative.
 */
export const storedUpdate = (record: TaskRecord, heard?: TaskUpdate): TaskUpdate => {
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
