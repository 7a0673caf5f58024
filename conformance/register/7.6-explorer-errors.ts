import { sectionClauses } from './clause.ts'

/** Section 7.6: errors of the explorer. */
export const section7_6 = sectionClauses('7.6', {
  '01': 'The body of an error is an object with detail.',
  '02': '400 and its detail where the network header is none of the four names.',
  '03': '401 and its detail where no key was sent.',
  '04': '401 and its detail where the key is wrong, rotated, deleted or expired.',
  '05': '403 and its detail where the key has neither rpc_read nor rpc.',
  '06': '404 and its detail for a task that is unknown on the network.',
  '07': '404 and its detail for a policy that is unknown on the network.',
  '08': '422 for a value that is not valid, such as a size outside 1 to 100.',
  '09': {
    text: '503 and its detail where keys cannot be validated for the moment.',
    noCheck:
      'the store of keys would have to be cut off behind a running explorer; tests of the reference do so',
  },
  '10': 'Whatever id, address, header or query is sent, the answer is one of the statuses of this section.',
  '11': { text: 'The body of a 422.', open: true },
  '12': { text: 'Which error is told of a request that has several.', open: true },
})
