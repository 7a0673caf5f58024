import { sectionClauses } from './clause.ts'

/** Section 2.3: an oracle that a simulation runs. */
export const section2_3 = sectionClauses('2.3', {
  '01': 'policy_data_address is required and an Address.',
  '02': 'wasm_args is optional.',
  '03': 'wasm_args, where sent, is Data and reaches the oracle.',
})
