import { sectionClauses } from './clause.ts'

/** Section 4.6: simulatePolicyData. */
export const section4_6 = sectionClauses('4.6', {
  '01': 'A key with RpcRead may simulate an oracle.',
  '02': 'policy_data_address is required and an Address.',
  '03': 'chain_id is required and a Number; a chain that cannot be resolved is refused.',
  '04': 'secrets is optional: base64 of encrypted secrets, used in this run.',
  '05': 'wasm_args is optional and Data; it is the input of the oracle.',
  '06': 'The answer has success, and policy_data on success.',
  '07': 'A failure has an error string.',
  '08': 'Ownership is not checked.',
  '09': { text: 'Secrets sent with a simulation are not stored.', level: 'should' },
  '10': { text: 'Stored secrets of policy clients are not used.', profile: 'secrets' },
  '11': 'Secrets that do not decrypt never reach the oracle.',
  '12': { text: 'The input of the oracle when wasm_args is absent.', open: true },
  '13': { text: 'How secrets that do not decrypt are reported.', open: true },
  '14': { text: 'The response for a PolicyData address without a contract.', open: true },
  '15': {
    profile: 'secrets',
    text: 'Whether a simulation opens an envelope that was submitted for storage.',
    open: true,
  },
})
