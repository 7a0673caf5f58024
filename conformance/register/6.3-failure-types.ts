import { sectionClauses } from './clause.ts'

/** Section 6.3: failure types, each by its name. */
export const section6_3 = sectionClauses('6.3', {
  '01': 'failure_type is one of channel_error, timeout, quorum_not_reached, onchain_submission_failed, policy_evaluation_failed, signature_verification_failed, internal_error.',
  '02': 'timeout: the task exceeded its timeout.',
  '03': 'quorum_not_reached: too little stake signed the task.',
  '04': 'policy_evaluation_failed: the policy could not be evaluated.',
  '05': 'onchain_submission_failed: the result could not be posted on chain.',
  '06': {
    text: 'signature_verification_failed: signatures did not verify.',
    noCheck: 'an operator would have to sign wrongly; tests of the reference put one in place',
  },
  '07': {
    text: 'channel_error: a channel failed; which channels are meant is not specified.',
    open: true,
  },
  '08': {
    text: 'internal_error: a fault of the service.',
    noCheck: 'a fault of the service would have to be put into it',
  },
  '09': {
    text: 'The failure type of other failures, such as those of an oracle or of the chain.',
    open: true,
  },
  '10': {
    text: 'The explorer sends no events.',
    noCheck:
      'what is never sent cannot be waited for to its end; all that an explorer answers is looked at in section 4.12',
  },
})
