import { sectionClauses } from './clause.ts'

/** Section 4.8: simulatePolicy. */
export const section4_8 = sectionClauses('4.8', {
  '01': 'A key with RpcRead may simulate policies.',
  '02': 'policy_client is required and an Address.',
  '03': 'policy is required: Rego source as a string.',
  '04': 'intent is required and a TaskIntent.',
  '05': 'policy_data is required: an array with one PolicyDataInput per oracle.',
  '06': 'entrypoint is optional; the default is policy.allow.',
  '07': 'policy_params is optional; the default is {}.',
  '08': 'policy_params is what the policy reads as data.params.',
  '09': {
    text: 'For several oracles the parameters are namespaced by pack id.',
    level: 'should',
    noCheck:
      'a convention between a policy and who calls it; parameters are passed as given (4.8-08)',
  },
  '10': 'intent_signature is optional and is what the policy reads as input.intent_signature.',
  '11': 'The answer has success, and evaluation_result on success.',
  '12': 'A failure has an error string.',
  '13': 'The listed oracles are fetched, run and merged into data.wasm.',
  '14': 'Stored secrets are decrypted for the oracles.',
  '15': 'Ownership is verified when a listed PolicyData has a secrets schema.',
  '16': 'Ownership is not verified when no listed PolicyData has a secrets schema.',
  '17': 'error_details lists the missing secrets.',
  '19': {
    text: 'Missing secrets of several PolicyData are counted and listed one by one.',
    profile: 'secrets',
  },
  '18': { text: 'What a gateway does with a PolicyData address without a contract.', open: true },
})
