import { sectionClauses } from './clause.ts'

/** Section 4.4: simulateTask. */
export const section4_4 = sectionClauses('4.4', {
  '01': 'A key with RpcRead may simulate tasks.',
  '02': 'A simulation has no effect on chain.',
  '03': 'The supplied data is used: no oracle runs, only the Rego stage.',
  '04': 'Without an available operator the response is {result: null, error: {ServiceUnavailable: <message>}, id: null}.',
  '05': 'intent is required and a TaskIntent.',
  '06': 'policy_task_data in the full form is a PolicyTaskData.',
  '07': 'The answer has success, a boolean.',
  '08': 'A success has a result object, for example with allow and reason.',
  '09': 'A failure has an error string.',
  '10': 'details, where present, is an object.',
  '11': 'chain_id in the intent may be a plain decimal string.',
  '12': { text: 'Which params the short form (policy_client and intent) needs.', open: true },
  '13': { text: 'The names of members of result.', open: true },
  '14': 'One available operator is enough.',
  '15': { text: 'What a gateway does with supplied data that has expired.', open: true },
  '16': {
    text: 'What a gateway does with an attestation that was not made by an attester.',
    open: true,
  },
  '17': {
    text: 'What a gateway does with policy_client beside policy_task_data, of the same or of another policy.',
    open: true,
  },
  '18': { text: 'Whether the reason of a denial names the error of an oracle.', open: true },
})
