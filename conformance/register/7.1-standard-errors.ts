import { sectionClauses } from './clause.ts'

/** Section 7.1: JSON-RPC's standard codes. */
export const section7_1 = sectionClauses('7.1', {
  '01': 'A body that is not JSON is -32700.',
  '02': 'JSON that is not a request is -32600.',
  '03': 'An unknown method is -32601.',
  '04': { text: 'Invalid params are -32602.', profile: 'tasks' },
  '05': {
    text: 'A server error is -32603.',
    noCheck: 'no request may provoke one: the property over any body (7.4-05) looks for it',
  },
  '06': 'The messages are Parse error, Invalid request, Method not found, Invalid params, Internal error.',
})
