import { sectionClauses } from './clause.ts'

/** Section 4.7: simulatePolicyDataWithClient. */
export const section4_7 = sectionClauses('4.7', {
  '01': 'A key with RpcRead may simulate an oracle with stored secrets.',
  '02': 'policy_data_address is required and an Address.',
  '03': 'policy_client is required and an Address.',
  '04': 'wasm_args is optional and Data; it is the input of the oracle.',
  '05': 'The oracle receives the secrets stored for this policy client and PolicyData.',
  '06': 'The response has the shape of that of simulatePolicyData.',
  '07': 'Ownership of the policy client is checked.',
  '08': { text: 'The response for an oracle without a secrets schema.', open: true },
  '09': { text: 'The response for a PolicyData that the client does not use.', open: true },
})
