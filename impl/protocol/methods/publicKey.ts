import { type Static, Type } from '@sinclair/typebox'

export const encryptionSuite = 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305'

/** The same members for the privacy and the secrets key (section 4.10, decision K3). */
export const PublicKeyResult = Type.Object({
  public_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  key_type: Type.Literal('x25519'),
  encryption_suite: Type.String(),
  /** The forms of envelopes that the gateway opens (decision K18); absent: the general form only. */
  envelope_forms: Type.Optional(
    Type.Array(Type.Union([Type.Literal('general'), Type.Literal('bound')])),
  ),
})
export type PublicKeyResult = Static<typeof PublicKeyResult>
