import type { Handler } from './handler.ts'

/** Section 4.3: responds as soon as the task is stored; updates follow on the WebSocket. */
export const sendTask: Handler<'sendTask'> = (params, { tasks, caller }) =>
  tasks.sendTask(params, caller)
