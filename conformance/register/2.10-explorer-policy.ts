import { sectionClauses } from './clause.ts'

/** Section 2.10: a policy as the explorer shows it. */
export const section2_10 = sectionClauses('2.10', {
  '01': 'address is the address of the policy.',
  '02': 'network is the name of the network that was asked for.',
  '03': 'name, version, author and description are strings or null.',
  '04': 'They are those of the policy’s metadata.',
  '05': 'verified is a boolean or null.',
  '06': 'policy_info is an object or null: what the chain says of the policy, its metadata reference included.',
  '07': 'deployed_txn_hash is the transaction that deployed the policy, or null.',
  '08': 'policy_deployed_at is the time of its block in ISO 8601, or null.',
  '09': { text: 'The inner shape of policy_info.', open: true },
  '10': { text: 'What verified says.', open: true },
  '11': { text: 'What is shown of a policy whose metadata cannot be had.', open: true },
  '12': { text: 'Members beside those of the text.', open: true },
})
