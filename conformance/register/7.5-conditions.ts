import { sectionClauses } from './clause.ts'

const sdk = 'a code of client SDKs; no gateway answers it'

/** Section 7.5: other named conditions. */
export const section7_5 = sectionClauses('7.5', {
  '01': 'Submitting an intent again while its task is in progress yields TaskAlreadyExists.',
  '02': 'A different intent, or the same intent after its task has ended, makes a new task.',
  '03': 'A simulated task that is non-compliant reports that the policy rejects the intent.',
  '04': 'A policy result CAP (in place of ALLOW: the value exceeds a threshold) is passed through.',
  '05': {
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
  '11': { text: 'When an intent whose task has ended may be submitted again.', open: true },
})
