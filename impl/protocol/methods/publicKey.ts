import { type Static, Type } from '@sinclair/typebox'

export const encryptionSuite = 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305'

/** The same three members for the privacy and the secrets key (section 4.10, decision K3). */
export const PublicKeyResult = Type.Object({
  public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  key_type: Type.Literal('x25519'),
  encryption_suite: Type.String(),
})
export type PublicKeyResult = Static<typeof PublicKeyResult>
