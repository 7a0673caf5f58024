import type { Handler } from './handler.ts'

/** Section 4.2: answers when the task has ended, well or not. */
export const createTask: Handler<'createTask'> = (params, { tasks, caller }) =>
  tasks.createTask(params, caller)
