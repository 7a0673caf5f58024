import { sectionClauses } from './clause.ts'

/** Section 3: states of a task. */
export const section3 = sectionClauses('3', {
  '01': 'The status of a task is pending, processing, success, failed or timeout.',
  '02': 'A task that has not ended is pending (queued) or processing (being evaluated).',
  '03': 'success: the task completed.',
  '04': 'failed: the evaluation failed.',
  '05': 'timeout: the task exceeded its timeout; reported as failed where failures have that status.',
  '06': { text: 'Transitions between the states of a task.', open: true },
  '07': 'An attestation expires at block reference_block plus expireAfter.',
  '08': 'Each timestamp of the explorer is null until its event has happened.',
  '09': 'challenge_result is unchallenged, success or unsuccessful.',
  '10': 'The challenge window is 100 blocks.',
  '11': {
    text: 'The transitions of challenge_result, and its value before a response.',
    open: true,
  },
})
