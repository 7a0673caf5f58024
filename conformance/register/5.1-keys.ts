import { sectionClauses } from './clause.ts'

/** Section 5.1: keys and permissions, as far as the methods of this register need them. */
export const section5_1 = sectionClauses('5.1', {
  '01': 'Every request carries Authorization: Bearer and a key.',
  '02': 'RpcRead allows task submission and simulation.',
  '03': 'RpcWrite alone does not allow them.',
  '04': 'An expired key is as invalid as an unknown one.',
  '05': { text: 'Whether the Bearer scheme is matched without regard to case.', open: true },
})
