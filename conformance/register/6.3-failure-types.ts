import { sectionClauses } from './clause.ts'

/** Section 6.3: types of failure, each by its name. */
export const section6_3 = sectionClauses('6.3', {
  '01': 'There are seven types of failure.',
  '02': 'timeout is told of a task past its timeout.',
  '03': 'quorum_not_reached is told of a task that too little stake signed.',
  '04': 'policy_evaluation_failed is told of a task whose policy cannot be evaluated.',
  '05': 'onchain_submission_failed is told of a result that could not be posted.',
  '06': {
    text: 'signature_verification_failed is told of signatures that do not verify.',
    noCheck: 'an operator would have to sign wrongly; tests of the reference put one in place',
  },
  '07': {
    text: 'channel_error is told of a failing channel; what a channel is the text does not say.',
    open: true,
  },
  '08': {
    text: 'internal_error is told of the service’s own faults.',
    noCheck: 'a fault of the service would have to be put into it',
  },
  '09': { text: 'The type of other failures, such as an oracle’s or a chain’s.', open: true },
  '10': {
    text: 'The explorer sends no events.',
    noCheck:
      'what is never sent cannot be waited for to its end; all that an explorer answers is looked at in section 4.12',
  },
})
