import { sectionClauses } from './clause.ts'

/** Section 7.6: errors of the explorer. */
export const section7_6 = sectionClauses('7.6', {
  '01': 'The body of an error is {detail: <message>}.',
  '02': '400 "Invalid protocol network header" where the network header is not one of the four names.',
  '03': '401 "API key required (Authorization: Bearer or X-API-Key)" where no key was sent.',
  '04': '401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.',
  '05': '403 "API key missing required permission: rpc_read" where the key has neither rpc_read nor rpc.',
  '06': '404 "Task not found." for a task that is unknown on the network.',
  '07': '404 "Policy Template not found." for a policy that is unknown on the network.',
  '08': '422 for an invalid value, such as a size outside 1 to 100.',
  '09': {
    text: '503 "API key validation unavailable" where keys cannot be validated at the moment.',
    noCheck:
      'the store of keys would have to be cut off behind a running explorer; tests of the reference do so',
  },
  '10': 'Whatever id, address, header or query is sent, the response has one of the statuses of this section.',
  '11': { text: 'The body of a 422.', open: true },
  '12': { text: 'Which error is returned for a request with several.', open: true },
})
