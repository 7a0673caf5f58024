import { sectionClauses } from './clause.ts'

/** Section 8: limits, those that have numbers and those that have none. */
export const section8 = sectionClauses('8', {
  '01': {
    text: 'Without a timeout a task has 30 seconds.',
    noCheck: 'thirty seconds of silence would have to be provoked; the bound itself is 4.2-15',
  },
  '02': 'The quorum threshold is a percentage from 0 to 100, of createTask and of sendTask.',
  '03': {
    text: 'A webhook request has 10 seconds by default.',
    noCheck: 'the same fact as the default of timeout_seconds in section 4.9',
  },
  '04': {
    text: 'A webhook is retried 3 times by default, after 100 ms at first, 10 seconds at most.',
    noCheck: 'the same facts as those of deliveries in section 6.2',
  },
  '05': 'The explorer’s page counts from 1, and is 1 by default.',
  '06': 'The explorer’s size is 1 to 100, and 10 by default.',
  '07': 'expire_after is 0 in a simulation.',
  '08': 'An attestation may be challenged for 100 blocks.',
  '09': 'Rates are limited: a caller that asks too often is told so with HTTP 429.',
  '10': 'simulatePolicyData is limited in its rate.',
  '11': { text: 'How many requests are allowed in which time.', open: true },
  '12': { text: 'How large wasm_args may be.', open: true },
  '13': { text: 'How large an envelope may be.', open: true },
  '14': { text: 'How large secrets may be.', open: true },
  '15': { text: 'How large a policy may be.', open: true },
  '17': { text: 'How often the explorer may be asked.', open: true },
  '16': {
    text: 'A caller that was limited is told when to try again, and is served then.',
    level: 'should',
  },
})
