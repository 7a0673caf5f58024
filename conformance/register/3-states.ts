import { sectionClauses } from './clause.ts'

const explorer = 'lives in the explorer, whose sections this register does not cover yet'

/** Section 3: states of a task. */
export const section3 = sectionClauses('3', {
  '01': 'The status of a task is pending, processing, success, failed or timeout.',
  '02': 'A task that has not ended is pending (queued) or processing (being evaluated).',
  '03': 'success: the task completed.',
  '04': 'failed: the evaluation failed.',
  '05': 'timeout: the task exceeded its timeout; told as failed where a failure carries that status.',
  '06': { text: 'Transitions between the states of a task.', open: true },
  '07': 'An attestation expires at block reference_block plus expireAfter.',
  '08': {
    text: 'The timestamps of the explorer are null until their event has happened.',
    noCheck: explorer,
  },
  '09': {
    text: 'challenge_result is unchallenged, success or unsuccessful.',
    noCheck: explorer,
  },
  '10': 'The challenge window is 100 blocks.',
})
