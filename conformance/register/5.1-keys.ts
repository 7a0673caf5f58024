import { sectionClauses } from './clause.ts'

/** Section 5.1: keys and permissions. */
export const section5_1 = sectionClauses('5.1', {
  '01': 'Every request has the header Authorization: Bearer <key>.',
  '02': 'RpcRead allows task submission, simulation and reads.',
  '03': 'RpcWrite alone does not allow task submission, simulation or reads.',
  '04': 'An expired key is as invalid as an unknown one, for every method.',
  '05': { text: 'Whether the Bearer scheme is matched without regard to case.', open: true },
  '06': { text: 'RpcWrite allows secrets, identity and confidential uploads.', profile: 'secrets' },
  '07': { text: 'RpcRead alone does not allow uploads.', profile: 'secrets' },
  '08': { text: 'A key with both permissions may do what either one allows.', profile: 'secrets' },
  '09': {
    text: 'Which permission the two webhook methods need.',
    open: true,
    noCheck: 'the same question as 4.9-17, which is looked at there',
  },
  '10': { text: 'What a key with other permissions may call.', open: true },
  '11': { text: 'When a new, rotated or deleted key takes effect.', open: true },
})
