import { sectionClauses } from './clause.ts'

const sdk = 'a code of client SDKs; no gateway answers it'

/** Section 7.5: other named conditions. */
export const section7_5 = sectionClauses('7.5', {
  '01': {
    text: 'Submitting an intent again while its task is in progress yields TaskAlreadyExists.',
    profile: 'tasks',
  },
  '02': {
    text: 'A different intent, or the same intent after its task has ended, makes a new task.',
    profile: 'tasks',
  },
  '03': {
    text: 'A simulated task that is non-compliant reports that the policy rejects the intent.',
    profile: 'simulation',
  },
  '04': {
    text: 'A policy result CAP (in place of ALLOW: the value exceeds a threshold) is passed through.',
    profile: 'tasks',
  },
  '05': {
    profile: 'tasks',
    text: 'Client SDKs have the error codes TASK_TIMEOUT, POLICY_NOT_FOUND, ATTESTATION_EXPIRED and UNAUTHORIZED.',
    noCheck: sdk,
  },
  '06': 'On chain an attestation is refused at its expiration block, and not before.',
  '07': 'On chain the signers are checked against the quorum.',
  '08': 'On chain the reference block is checked against the operator set.',
  '09': 'On chain the intent’s chain id is checked against the chain of the client.',
  '10': 'On chain an attestation with any change is refused.',
  '12': {
    text: 'Whether terms of a task that operators do not sign can be changed before spending.',
    open: true,
  },
  '13': {
    text: 'What a challenge requires, and its effect on the attestation.',
    open: true,
  },
  '14': {
    text: 'An attestation whose threshold was met by the stake at the reference block stays valid when stakes change later.',
    level: 'should',
  },
  '11': {
    profile: 'tasks',
    text: 'When an intent whose task has ended may be submitted again.',
    open: true,
  },
})
