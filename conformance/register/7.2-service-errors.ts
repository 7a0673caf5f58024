import { sectionClauses } from './clause.ts'

/** Section 7.2: the service's codes. */
export const section7_2 = sectionClauses('7.2', {
  '01': {
    text: '-32615 (PolicyEvaluationError): policy evaluation failed.',
    noCheck: 'where a method reports it as a failed result, 7.3-10 checks the text',
  },
  '02': 'A contract error is -32616 (ContractError), or a failed result with its message.',
  '03': {
    text: '-32617 (OperatorNotRegistered): the operator is not registered with the service.',
    noCheck:
      'operators of a running service are registered; unregistering one would end the target',
  },
  '04': 'An incompatible policy version is -32618 (IncompatiblePolicyVersion), or a failed result with its message.',
  '05': 'An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a failed result with its message.',
  '06': {
    text: 'Policy data that cannot be fetched is -32620 (DataProviderError), or a failed result with its message.',
    profile: 'simulation',
  },
  '07': {
    text: 'A failed ownership check of a simulate method is -32002 with a message starting "Authorization failed:".',
    profile: 'simulation',
  },
})
