import { sectionClauses } from './clause.ts'

/** Section 4.10, the two key endpoints of it. */
export const section4_10 = sectionClauses('4.10', {
  '01': 'getSecretsPublicKey takes no params and needs RpcRead.',
  '02': 'getPrivacyPublicKey takes no params and needs RpcRead.',
  '03': 'public_key is an X25519 key of 32 bytes as hex.',
  '04': 'key_type is x25519.',
  '05': 'encryption_suite is a string; for secrets the suite identifier of section 5.3.',
  '06': { text: 'Whether public_key carries a 0x prefix.', open: true },
  '07': { text: 'Whether the privacy key is served, and equals the secrets key.', open: true },
})
