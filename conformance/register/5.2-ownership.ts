import { sectionClauses } from './clause.ts'

/** Section 5.2: who owns a policy client, and which methods ask. */
export const section5_2 = sectionClauses('5.2', {
  '01': 'The owner is read from the chain on every check: a transfer is in force with the next request.',
  '02': 'A transfer by transferOwnership() is recognised.',
  '03': 'A transfer by setOwner() is recognised.',
  '04': 'The key of the caller has to be associated with the owner on chain.',
  '05': 'simulatePolicyData asks for no ownership.',
  '06': 'simulatePolicyDataWithClient asks for ownership.',
  '07': 'simulatePolicy asks for ownership if a listed PolicyData has a secrets schema, and only then.',
  '08': 'storeEncryptedSecrets asks for ownership.',
  '09': 'The client of another user is a failure.',
  '10': 'A client whose owner is the zero address is a failure.',
  '11': { text: 'What is said of an address that is no policy client.', open: true },
})
