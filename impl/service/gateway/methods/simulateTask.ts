import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import type { Handler } from './handler.ts'

/** Section 4.4, with supplied data or, in the short form, data of oracles (decision T15). */
export const simulateTask: Handler<'simulateTask'> = async (params, { tasks, caller }) => {
  if (params.policy_task_data === undefined && params.policy_client === undefined)
    throw invalidFormat('policy_task_data or policy_client is required')
  return tasks.simulateTask(params, caller)
}
