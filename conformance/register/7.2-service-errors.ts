import { sectionClauses } from './clause.ts'

/** Section 7.2: the service's own codes. */
export const section7_2 = sectionClauses('7.2', {
  '01': {
    text: '-32615 says that policy evaluation failed.',
    noCheck: 'where a method reports it as a failed result, 7.3-10 checks the text',
  },
  '02': 'An error of a contract is -32616, or a failed result that says so.',
  '03': {
    text: '-32617 says that an operator is not registered.',
    noCheck:
      'operators of a running service are registered; unregistering one would end the target',
  },
  '04': '-32618, or a failed result that says so, tells that the policy has another version.',
  '05': '-32619, or a failed result that says so, tells that the policy data has another version.',
  '06': '-32620, or a failed result that says so, tells that policy data could not be fetched.',
  '07': '-32002 with a message starting "Authorization failed:" says that ownership failed in a simulation.',
})
