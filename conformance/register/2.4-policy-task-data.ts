import { sectionClauses } from './clause.ts'

/** Section 2.4: the input of simulateTask. */
export const section2_4 = sectionClauses('2.4', {
  '01': 'policyId of policy_task_data is 32 bytes as hex.',
  '02': 'policyAddress of policy_task_data is an address.',
  '03': 'policy of policy_task_data is bytes as hex and may be 0x.',
  '04': 'policyData of policy_task_data is an array of entries.',
  '05': 'An entry’s wasmArgs is bytes as hex.',
  '06': 'An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.',
  '07': 'An entry’s attestation is bytes as hex.',
  '08': 'An entry’s policyDataAddress is an address.',
  '09': 'An entry’s expireBlock is a uint32.',
  '10': { text: 'Whether an entry may come without an attestation.', open: true },
})
