import type { Handler } from './handler.ts'

/** Section 4.2: responds when the task has ended. */
export const createTask: Handler<'createTask'> = (params, { tasks, caller }) =>
  tasks.createTask(params, caller)
