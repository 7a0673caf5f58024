import { type Static, Type } from '@sinclair/typebox'
import { Bytes32, Nullable } from './scalars.ts'

/** Section 6.3. */
export const FailureType = Type.Union(
  [
    Type.Literal('channel_error'),
    Type.Literal('timeout'),
    Type.Literal('quorum_not_reached'),
    Type.Literal('onchain_submission_failed'),
    Type.Literal('policy_evaluation_failed'),
    Type.Literal('signature_verification_failed'),
    Type.Literal('internal_error'),
  ],
  { $id: 'FailureType' },
)
export type FailureType = Static<typeof FailureType>

/** Notification of a failed task, by webhook and WebSocket (section 2.8). */
export const TaskFailureNotification = Type.Object(
  {
    notification_id: Type.String({ description: 'UUID v4' }),
    task_id: Bytes32,
    timestamp: Type.String({ description: 'ISO 8601, UTC' }),
    failure_type: FailureType,
    error_message: Type.String(),
    context: Type.Record(Type.String(), Type.Unknown()),
    is_recoverable: Type.Boolean(),
    retry_after_seconds: Nullable(Type.Number({ minimum: 0 })),
  },
  { $id: 'TaskFailureNotification' },
)
export type TaskFailureNotification = Static<typeof TaskFailureNotification>
