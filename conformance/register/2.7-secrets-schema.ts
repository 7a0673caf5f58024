import { sectionClauses } from './clause.ts'

/** Section 2.7: the secrets of an oracle and the schema they have to fit. */
export const section2_7 = sectionClauses('2.7', {
  '01': 'An oracle declares the secrets it needs as a JSON Schema document, named on chain by its content id.',
  '02': {
    text: 'An oracle that needs no secrets names no schema.',
    noCheck: 'a fact about how a PolicyData is deployed; what it means for ownership is 4.8-16',
  },
  '03': 'Uploaded secrets are validated against the schema before they are stored: refused ones change nothing.',
  '04': 'Uploaded secrets are a JSON object of named string values.',
  '05': 'A minimum length in the schema is enforced.',
  '06': 'A list of required names in the schema is enforced.',
  '07': 'A schema without additional properties refuses names that it does not know.',
  '08': 'The oracle reads the secrets by the names under which they were uploaded.',
  '09': 'Secrets belong to one policy_data_address: those of another are not used in its place.',
  '10': 'A redeployed PolicyData has a new address and has no secrets until they are uploaded again.',
  '11': 'With several oracles the secrets of each are uploaded to its own address.',
})
