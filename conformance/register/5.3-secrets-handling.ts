import { sectionClauses } from './clause.ts'

/** Section 5.3: handling of secrets. */
export const section5_3 = sectionClauses('5.3', {
  '01': {
    text: 'Secrets are sealed with HPKE in the suite HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305.',
    profile: 'simulation',
  },
  '02': 'Secrets are sealed to the key from getSecretsPublicKey.',
  '03': 'Secrets sealed to that key are stored with storeEncryptedSecrets.',
  '04': 'Stored secrets are decrypted at evaluation: the oracle of a task reads them.',
  '05': {
    text: 'Plaintext is never persisted.',
    noCheck: 'files and logs of a gateway cannot be read from outside; 5.3-06 watches its answers',
  },
  '06': 'Plaintext is never sent over the network: no response holds a secret.',
  '07': {
    text: 'The oracle reads its secrets through the get() host call.',
    profile: 'simulation',
  },
  '08': 'No error on any channel reveals the plaintext that its oracle or its upload held.',
  '09': { text: 'Whether encoded forms of a secret are redacted from errors.', open: true },
  '10': 'A run reads the secrets of its own client and PolicyData, whatever runs concurrently.',
  '11': { text: 'Whether secrets of a few characters are redacted from errors.', open: true },
})
