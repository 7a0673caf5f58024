import { sectionClauses } from './clause.ts'

/** Section 4.5: storeEncryptedSecrets. */
export const section4_5 = sectionClauses('4.5', {
  '01': 'A key with RpcWrite may store secrets.',
  '02': 'policy_client is required and an Address.',
  '03': 'policy_data_address is required and an Address.',
  '04': 'envelope is required: a SecureEnvelope, serialized as a JSON string.',
  '05': 'The answer has success, a boolean.',
  '06': 'A success has schema, the JSON Schema that was used.',
  '07': 'A failure has an error string.',
  '08': 'Only the on-chain owner of the policy client may upload.',
  '09': 'The envelope is decrypted and its plaintext validated; an envelope that does not decrypt is refused.',
  '10': {
    text: 'Only the encrypted envelope is stored.',
    noCheck:
      'what a gateway writes to its store cannot be seen from outside; 5.3-06 watches answers',
  },
  '11': 'The plaintext is a JSON object of named string values: anything else is refused.',
  '12': {
    text: 'A later upload for the same pair replaces the earlier one.',
    level: 'should',
  },
  '13': 'An envelope is bound to its policy client and chain; under another one it is refused.',
  '14': { text: 'The form in which an invalid envelope is refused.', open: true },
  '15': { text: 'What an upload for an oracle without a secrets schema does.', open: true },
  '16': { text: 'What an upload for addresses without a contract does.', open: true },
  '17': { text: 'Whether unknown members of an envelope are tolerated.', open: true },
})
