import { randomBytes, type webcrypto } from 'node:crypto'
import { x25519 } from '@noble/curves/ed25519.js'
import { encryptionSuite, type PublicKeyResult } from 'polgate-protocol/methods/publicKey.ts'
import { EnvelopeError } from './envelopeError.ts'
import { bufferOf, keySize, suite } from './hpke.ts'

/** An X25519 key pair that decrypts envelopes. The private key cannot be extracted. */
export type EncryptionKey = {
  /** 64 hex digits without `0x` (decision K3). */
  readonly publicKey: string
  readonly privateKey: webcrypto.CryptoKey
}

/**
 * The key pair of 32 private bytes.
 *
 * @throws EnvelopeError `key` for another length
 */
export async function encryptionKeyOf(privateKey: Uint8Array): Promise<EncryptionKey> {
  if (privateKey.length !== keySize)
    throw new EnvelopeError('key', `an encryption key has 32 bytes, got ${privateKey.length}`)
  return {
    publicKey: Buffer.from(x25519.getPublicKey(privateKey)).toString('hex'),
    privateKey: await suite.kem.importKey('raw', bufferOf(privateKey), false),
  }
}

/** A key pair from its private key in hex, with or without `0x`, as in a configuration. */
export function loadEncryptionKey(privateHex: string): Promise<EncryptionKey> {
  const digits = privateHex.trim().replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new EnvelopeError('key', 'an encryption key is 64 hex digits')
  return encryptionKeyOf(Buffer.from(digits, 'hex'))
}

/** A new key pair, with its private key for storage. */
export async function createEncryptionKey(
  random: (size: number) => Uint8Array = randomBytes,
): Promise<{ key: EncryptionKey; privateHex: string }> {
  const privateKey = random(keySize)
  return {
    key: await encryptionKeyOf(privateKey),
    privateHex: Buffer.from(privateKey).toString('hex'),
  }
}

/** The result of the two methods that return public keys (section 4.10). */
export const publicKeyResult = (key: Pick<EncryptionKey, 'publicKey'>): PublicKeyResult => ({
  public_key: key.publicKey,
  key_type: 'x25519',
  encryption_suite: encryptionSuite,
})
