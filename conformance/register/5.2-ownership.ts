import { sectionClauses } from './clause.ts'

/** Section 5.2: ownership of policy clients, and the methods that require it. */
export const section5_2 = sectionClauses('5.2', {
  '01': 'The owner is read from the chain on every check: a transfer takes effect with the next request.',
  '02': 'A transfer by transferOwnership() takes effect.',
  '03': 'A transfer by setOwner() takes effect.',
  '04': 'The caller’s key must be associated with the on-chain owner (getOwner()).',
  '05': { text: 'simulatePolicyData does not check ownership.', profile: 'simulation' },
  '06': 'simulatePolicyDataWithClient checks ownership.',
  '07': {
    text: 'simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only then.',
    profile: 'simulation',
  },
  '08': 'storeEncryptedSecrets checks ownership.',
  '09': 'The check fails for a client of another owner.',
  '10': 'The check fails for a client whose owner is the zero address.',
  '11': { text: 'The error for an address that is not a policy client.', open: true },
})
