import { type Static, Type } from '@sinclair/typebox'

/**
 * Why an attestation cannot be spent in the current state (decision T17). Codes are stable; texts
 * and custom errors may change.
 */
export const TaskWarningCode = Type.Union(
  [
    Type.Literal('threshold_below_minimum', {
      description: 'the threshold of the task is below the minimum of the policy client',
    }),
    Type.Literal('quorum_missing', {
      description: 'the task does not name a quorum that the policy client requires',
    }),
    Type.Literal('other_chain', {
      description: 'the intent is for another chain than that of the policy client',
    }),
    Type.Literal('not_yet_valid', { description: 'the chain has not reached the reference block' }),
    Type.Literal('expired', {
      description: 'the attestation, or the data of an oracle, is expired in the next block',
    }),
    Type.Literal('policy_changed', {
      description: 'the policy client has another policy, or another configuration, by now',
    }),
    Type.Literal('refused', { description: 'the task manager refuses it for another reason' }),
    Type.Literal('not_checked', {
      description: 'the chain could not be queried; the attestation may be valid',
    }),
  ],
  { $id: 'TaskWarningCode' },
)
export type TaskWarningCode = Static<typeof TaskWarningCode>

/** What a caller should know of a task that succeeded (decision T17). */
export const TaskWarning = Type.Object(
  { code: TaskWarningCode, message: Type.String() },
  { $id: 'TaskWarning' },
)
export type TaskWarning = Static<typeof TaskWarning>
