import { sectionClauses } from './clause.ts'

/** Section 7.4: HTTP statuses. */
export const section7_4 = sectionClauses('7.4', {
  '01': '200 for a success, and for errors in the JSON-RPC body.',
  '02': '401 for an invalid API key.',
  '03': '403 for insufficient permissions.',
  '04': '404 for a wrong path.',
  '05': 'No request causes an internal error: 500 is for faults of the server.',
  '06': '429 when the rate is limited.',
  '07': {
    text: '502 when the service is unavailable.',
    noCheck: 'needs a proxy that stays up while the service behind it is down',
  },
  '08': { text: 'The body of a 401 and a 403.', open: true },
})
