import { sectionClauses } from './clause.ts'

/** Section 5.3: the way of a secret. */
export const section5_3 = sectionClauses('5.3', {
  '01': 'Secrets are sealed with HPKE in the suite HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305.',
  '02': 'They are sealed to the key from getSecretsPublicKey.',
  '03': 'Sealed so, they are stored with storeEncryptedSecrets.',
  '04': 'Stored secrets are decrypted at evaluation: a task sees them.',
  '05': {
    text: 'Plaintext is never persisted.',
    noCheck: 'files and logs of a gateway cannot be read from outside; 5.3-06 watches its answers',
  },
  '06': 'Plaintext is never sent over the network: no answer holds a secret.',
  '07': 'The oracle reads them through the get() call of its host.',
  '08': 'An error does not tell the plaintext that its oracle or its upload held, on no channel.',
  '09': { text: 'Whether an error is freed of encoded forms of a secret.', open: true },
  '10': 'A run sees the secrets of its client and its PolicyData, whatever runs beside it.',
  '11': { text: 'Whether an error is freed of secrets of a few characters.', open: true },
})
