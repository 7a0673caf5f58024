import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import type { Handler } from './handler.ts'

/** Section 4.4, with data supplied or, in the short form, gathered (decision T15). */
export const simulateTask: Handler<'simulateTask'> = async (params, { tasks, caller }) => {
  if (params.policy_task_data === undefined && params.policy_client === undefined)
    throw invalidFormat('policy_task_data is required, or policy_client in its place')
  return tasks.simulateTask(params, caller)
}
