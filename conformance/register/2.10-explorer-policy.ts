import { sectionClauses } from './clause.ts'

/** Section 2.10: a policy in the explorer. */
export const section2_10 = sectionClauses('2.10', {
  '01': 'address is the address of the policy.',
  '02': 'network is the name of the selected network.',
  '03': 'name, version, author and description are strings or null.',
  '04': 'name, version, author and description are those of the policy’s metadata document.',
  '05': 'verified is a boolean or null.',
  '06': 'policy_info is an object or null: the on-chain information about the policy, with its metadata reference.',
  '07': 'deployed_txn_hash is the transaction that deployed the policy, or null.',
  '08': 'policy_deployed_at is the time of its block in ISO 8601, or null.',
  '09': { text: 'The inner shape of policy_info.', open: true },
  '10': { text: 'The meaning of verified.', open: true },
  '11': { text: 'What is shown for a policy whose metadata is unavailable.', open: true },
  '12': { text: 'Further members of a policy.', open: true },
})
