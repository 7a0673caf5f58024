import { sectionClauses } from './clause.ts'

/** Section 3: states of a task. */
export const section3 = sectionClauses('3', {
  '01': {
    text: 'The status of a task is pending, processing, success, failed or timeout.',
    profile: 'updates',
  },
  '02': {
    text: 'A task that has not ended is pending (queued) or processing (being evaluated).',
    profile: 'updates',
  },
  '03': { text: 'success: the task completed.', profile: 'updates' },
  '04': { text: 'failed: the evaluation failed.', profile: 'updates' },
  '05': {
    text: 'timeout: the task exceeded its timeout; reported as failed where failures have that status.',
    profile: 'updates',
  },
  '06': { profile: 'updates', text: 'Transitions between the states of a task.', open: true },
  '07': {
    text: 'An attestation expires at block reference_block plus expireAfter.',
    profile: 'attestation',
  },
  '08': {
    text: 'Each timestamp of the explorer is null until its event has happened.',
    profile: 'explorer',
  },
  '09': { text: 'challenge_result is unchallenged, success or unsuccessful.', profile: 'explorer' },
  '10': { text: 'The challenge window is 100 blocks.', profile: 'attestation' },
  '11': {
    profile: 'explorer',
    text: 'The transitions of challenge_result, and its value before a response.',
    open: true,
  },
})
