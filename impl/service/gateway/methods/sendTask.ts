import type { Handler } from './handler.ts'

/** Section 4.3: answers as soon as the task is stored; the rest arrives over the WebSocket. */
export const sendTask: Handler<'sendTask'> = (params, { tasks, caller }) =>
  tasks.sendTask(params, caller)
