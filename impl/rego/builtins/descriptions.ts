/** What the extensions do, by their names without prefix, for editors. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'crypto.ecdsa_recover_signer':
    'The address that signed a hash: of a signature of 65 bytes and a hash of 32 bytes, both hexadecimal.',
  'crypto.ecdsa_recover_signer_personal':
    'The address that signed a message as wallets do (EIP-191): of a signature of 65 bytes, hexadecimal, and the text.',
  'identity.get': 'A member of the identity that the user has linked.',
  'identity.check_approved': 'Whether the status of the identity is `approved`.',
  'identity.address_in_countries':
    'Whether the country of the identity is in an array or a set of codes of two letters, in either case.',
  'identity.age_gte':
    'Whether that many birthdays since the birthdate of the identity have passed.',
  'identity.not_expired': 'Whether the day is no later than the expiration date of the identity.',
  'confidential.blacklist.contains': 'Whether the blacklist has an address, in any case.',
  'confidential.blacklist.count': 'The number of different addresses of the blacklist.',
  'confidential.allowlist.contains': 'Whether the allowlist has an address, in any case.',
  'confidential.allowlist.count': 'The number of different addresses of the allowlist.',
  'confidential.get': 'A member of the values of the confidential data of a type.',
}
