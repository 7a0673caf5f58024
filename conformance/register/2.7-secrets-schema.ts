import { sectionClauses } from './clause.ts'

/** Section 2.7: the secrets of an oracle and their schema. */
export const section2_7 = sectionClauses('2.7', {
  '01': 'An oracle declares the secrets it needs as a JSON Schema document, named on chain by its content id.',
  '02': 'An oracle that needs no secrets names no schema, and runs without secrets.',
  '03': 'Uploaded secrets are validated against the schema before they are stored; a refused upload changes nothing.',
  '04': 'Uploaded secrets are a JSON object whose values are strings.',
  '05': 'A minimum length in the schema is enforced.',
  '06': 'A list of required names in the schema is enforced.',
  '07': 'A schema without additional properties refuses names that it does not know.',
  '08': 'The oracle reads the secrets by the names under which they were uploaded.',
  '09': 'Secrets belong to one policy_data_address: those of another are not used in its place.',
  '10': 'A redeployed PolicyData has a new address and has no secrets until they are uploaded again.',
  '11': 'With several oracles the secrets of each are uploaded to its own address.',
  '12': 'A name that the schema knows and does not require may be left out.',
  '13': {
    text: 'Other keywords of JSON Schema are enforced too: enum, pattern, maxLength.',
    level: 'should',
  },
  '14': 'An upload is validated against the schema that its PolicyData names.',
  '15': { text: 'The error for a schema that is unavailable or invalid.', open: true },
  '16': {
    text: 'Which draft of JSON Schema is meant.',
    open: true,
    noCheck:
      'the schemas that the text describes use what every draft has; a schema of another draft would have to be stored by the gateway’s own operators',
  },
})
