import { sectionClauses } from './clause.ts'

/** Section 4.7: simulatePolicyDataWithClient. */
export const section4_7 = sectionClauses('4.7', {
  '01': 'A key with RpcRead may simulate an oracle with stored secrets.',
  '02': 'policy_data_address is required and an Address.',
  '03': 'policy_client is required and an Address.',
  '04': 'wasm_args is optional and Data; it is the input of the oracle.',
  '05': 'The oracle is given the secrets stored for the pair of client and policy data.',
  '06': 'The answer is that of simulatePolicyData.',
  '07': 'Ownership of the policy client is checked.',
  '08': { text: 'What an oracle without a secrets schema gives.', open: true },
  '09': { text: 'What a PolicyData that is none of the client’s gives.', open: true },
})
