import { createPrivateKey, createPublicKey, diffieHellman, randomBytes } from 'node:crypto'
import { encryptionSuite, type PublicKeyResult } from 'polgate-protocol/methods/publicKey.ts'
import { EnvelopeError } from './envelopeError.ts'
import { keySize, type Recipient } from './hpke.ts'

/**
 * An X25519 key pair that decrypts envelopes; `publicKey` is 64 hex digits without `0x` (decision K3).
 * The private key is in a closure, not a property, so it cannot be printed.
 */
export type EncryptionKey = Recipient

/** DER up to the key, RFC 8410. */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * The key pair of 32 private bytes.
 *
 * @throws EnvelopeError `key` for another length
 */
export async function encryptionKeyOf(privateKey: Uint8Array): Promise<EncryptionKey> {
  if (privateKey.length !== keySize)
    throw new EnvelopeError('key', `an encryption key has 32 bytes, got ${privateKey.length}`)
  const der = Buffer.concat([privatePrefix, privateKey])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: spki.subarray(publicPrefix.length).toString('hex'),
    agree(publicKey) {
      // To parse DER takes six times as long.
      const x = Buffer.from(publicKey).toString('base64url')
      const other = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
      return diffieHellman({ privateKey: key, publicKey: other })
    },
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
  envelope_forms: ['general', 'bound'],
})
