import { sectionClauses } from './clause.ts'

const sdk = 'a code of client SDKs; no gateway answers it'

/** Section 7.5: other named conditions. */
export const section7_5 = sectionClauses('7.5', {
  '01': 'A duplicate of a task under way is TaskAlreadyExists.',
  '02': 'Another intent, or the same after the first has ended, makes a new task.',
  '03': 'A simulated task that does not comply says that the policy rejects the intent.',
  '04': 'A policy that returns CAP instead of ALLOW is passed through: the value exceeds a threshold.',
  '05': {
    text: 'TASK_TIMEOUT, POLICY_NOT_FOUND, ATTESTATION_EXPIRED, UNAUTHORIZED.',
    noCheck: sdk,
  },
  '06': 'On chain an attestation is refused at its expiration block, and not before.',
  '07': 'On chain the signers are held against the quorum.',
  '08': 'On chain the reference block is held against the operator set.',
  '09': 'On chain the intent’s chain id is held against the client’s chain.',
  '10': 'On chain any change of an attestation is refused.',
  '12': {
    text: 'Whether terms of a task that no operator signs can be changed on the way.',
    open: true,
  },
  '13': {
    text: 'What a challenge takes, and what becomes of an attestation that is challenged.',
    open: true,
  },
  '14': {
    text: 'Where a threshold is met by the stake at the reference block, later changes undo nothing.',
    level: 'should',
  },
  '11': { text: 'When a second submission of an intent that has ended is a new task.', open: true },
})
