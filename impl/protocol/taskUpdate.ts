import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Nullable, UnixSeconds } from './scalars.ts'
import { TaskResult, TaskStatus } from './task.ts'

/** Decision W4; `success` and `failure` are final. */
export const UpdateEvent = Type.Union([
  Type.Literal('status_update'),
  Type.Literal('operator_response'),
  Type.Literal('success'),
  Type.Literal('failure'),
])
export type UpdateEvent = Static<typeof UpdateEvent>

/** The response of an operator in one of the two phases of decision T8. */
export const OperatorResponse = Type.Object({
  operator_address: Address,
  operator_id: Bytes32,
  phase: Type.Union([Type.Literal('data'), Type.Literal('signature')]),
  success: Type.Boolean(),
  error: Nullable(Type.String()),
  timestamp: Type.String({ description: 'ISO 8601, UTC' }),
})
export type OperatorResponse = Static<typeof OperatorResponse>

/** The longest of several lists of a task's responses; every list is cumulative. */
export function mostResponses(
  ...lists: readonly (readonly OperatorResponse[] | null | undefined)[]
): OperatorResponse[] {
  const known = lists.map((list) => list ?? [])
  return [...known.reduce((most, list) => (list.length > most.length ? list : most), [])]
}

/** `result` of an update message (section 6.1). */
export const TaskUpdate = Type.Object(
  {
    event: UpdateEvent,
    task_id: Bytes32,
    timestamp: UnixSeconds,
    data: Type.Object({
      status: TaskStatus,
      operator_responses: Type.Array(OperatorResponse),
      /** The result that `createTask` would return; null until the task has ended. */
      result: Nullable(TaskResult),
      /** Percent, 100 when complete; never decreases. */
      progress: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
  },
  { $id: 'TaskUpdate' },
)
export type TaskUpdate = Static<typeof TaskUpdate>
