import { sectionClauses } from './clause.ts'

/** Section 8: limits, with and without numbers. */
export const section8 = sectionClauses('8', {
  '01': {
    text: 'The default timeout of a task is 30 seconds.',
    noCheck: 'thirty seconds of silence would have to be provoked; the bound itself is 4.2-15',
  },
  '02': {
    text: 'The quorum threshold is a percentage from 0 to 100, of createTask and of sendTask.',
    profile: 'tasks',
  },
  '03': {
    text: 'The default timeout of a webhook request is 10 seconds.',
    noCheck: 'the same fact as the default of timeout_seconds in section 4.9',
  },
  '04': {
    text: 'A webhook is retried 3 times by default, first after 100 ms, with at most 10 seconds between attempts.',
    noCheck: 'the same facts as those of deliveries in section 6.2',
  },
  '05': { text: 'The explorer’s page counts from 1, and is 1 by default.', profile: 'explorer' },
  '06': { text: 'The explorer’s size is 1 to 100, and 10 by default.', profile: 'explorer' },
  '07': { text: 'expire_after is 0 in a simulation.', profile: 'simulation' },
  '08': { text: 'An attestation may be challenged for 100 blocks.', profile: 'attestation' },
  '09': 'Rates are limited: a caller over the limit receives HTTP 429.',
  '10': { text: 'The rate of simulatePolicyData is limited.', profile: 'simulation' },
  '11': { text: 'The numbers of the rate limits.', open: true },
  '12': { profile: 'simulation', text: 'The maximum size of wasm_args.', open: true },
  '13': { profile: 'secrets', text: 'The maximum size of an envelope.', open: true },
  '14': { profile: 'secrets', text: 'The maximum size of secrets.', open: true },
  '15': { profile: 'simulation', text: 'The maximum size of a policy.', open: true },
  '17': { profile: 'explorer', text: 'The rate limits of the explorer.', open: true },
  '16': {
    text: 'A 429 says when to retry, and a retry then is accepted.',
    level: 'should',
  },
})
