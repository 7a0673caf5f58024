import { type Static, Type } from '@sinclair/typebox'
import { Bytes32, UnixSeconds } from '../scalars.ts'
import { CreateTaskParams } from './createTask.ts'
import type { Method } from './method.ts'

/** Section 4.3: as createTask, without `timeout`. */
export const SendTaskParams = Type.Omit(CreateTaskParams, ['timeout', 'include_validate_calldata'])
export type SendTaskParams = Static<typeof SendTaskParams>

export const SendTaskResult = Type.Object({
  task_id: Bytes32,
  /** The brand prefix and the task id (section 6.1). */
  subscription_topic: Type.String(),
  message: Type.String(),
  timestamp: UnixSeconds,
})
export type SendTaskResult = Static<typeof SendTaskResult>

export const sendTask = {
  summary: 'Creates a task and returns immediately; updates are sent over the WebSocket.',
  permission: 'RpcRead',
  params: SendTaskParams,
  result: SendTaskResult,
} as const satisfies Method
