import { sectionClauses } from './clause.ts'

/** Section 2.8: the notification of a failed task. */
export const section2_8 = sectionClauses('2.8', {
  '01': 'notification_id is a string, a UUID of version 4.',
  '02': 'task_id is a hex string, the id of the task that failed.',
  '03': 'timestamp is a string, ISO 8601 in UTC.',
  '04': 'failure_type is one of the strings of section 6.3.',
  '05': 'error_message is a string.',
  '06': 'context is an object.',
  '07': 'For a quorum failure context holds signed_stake and required_stake as decimal strings and operator_count as a number.',
  '08': 'is_recoverable is a boolean.',
  '09': 'retry_after_seconds is a number or null.',
  '10': 'No two notifications have the same id.',
  '11': { text: 'What context holds for other failures, and further members.', open: true },
})
