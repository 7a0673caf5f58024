import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { AeadId, CipherSuite, KdfId, KemId, type KemInterface } from 'hpke-js'
import { bufferOf, keySize, suite } from '../envelopes/hpke.ts'
import { ThresholdError } from './thresholdError.ts'

export type OpenWithSharedSecret = {
  /** The X25519 shared secret of sender and recipient, 32 bytes. */
  readonly dh: Uint8Array
  readonly recipientPublicKey: Uint8Array
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
  readonly aad: Uint8Array
  /** Empty in this protocol; the vectors of RFC 9180 have one. */
  readonly info?: Uint8Array | undefined
}

/**
 * Decrypts a base mode message (decision K2) with the Diffie-Hellman value instead of the private
 * key: uses the library's key schedule and cipher, and replaces only its KEM.
 *
 * @throws ThresholdError `point` for the all-zero value; rejects if it does not decrypt
 */
export async function openWithSharedSecret(options: OpenWithSharedSecret): Promise<Uint8Array> {
  const { dh, enc, recipientPublicKey, ciphertext, aad, info = new Uint8Array() } = options
  if (dh.every((byte) => byte === 0))
    throw new ThresholdError('point', 'the shared secret is all zero')
  const secret = sharedSecretOf(dh, Buffer.concat([enc, recipientPublicKey]))
  const own = new CipherSuite({
    kem: kemOf(secret),
    kdf: KdfId.HkdfSha256,
    aead: AeadId.Chacha20Poly1305,
  })
  // The replaced KEM does not use the private key, which the type requires.
  const recipientKey = await suite.kem.importKey('raw', bufferOf(recipientPublicKey), true)
  return new Uint8Array(
    await own.open(
      { recipientKey, enc: bufferOf(enc), info: bufferOf(info) },
      bufferOf(ciphertext),
      bufferOf(aad),
    ),
  )
}

const kemId = KemId.DhkemX25519HkdfSha256

/** A KEM with a precomputed shared secret. */
function kemOf(sharedSecret: Uint8Array): KemInterface {
  const refuse = async (): Promise<never> => {
    throw new ThresholdError('run', 'this KEM decapsulates one key only')
  }
  return {
    id: kemId,
    secretSize: keySize,
    encSize: keySize,
    publicKeySize: keySize,
    privateKeySize: keySize,
    decap: async () => bufferOf(sharedSecret),
    encap: refuse,
    serializePublicKey: refuse,
    deserializePublicKey: refuse,
    serializePrivateKey: refuse,
    deserializePrivateKey: refuse,
    importKey: refuse,
    generateKeyPair: refuse,
    deriveKeyPair: refuse,
  }
}

const suiteId = Uint8Array.of(...Buffer.from('KEM'), kemId >> 8, kemId & 0xff)
const version = Buffer.from('HPKE-v1')

/** `ExtractAndExpand` of RFC 9180, section 4.1. */
export function sharedSecretOf(dh: Uint8Array, kemContext: Uint8Array): Uint8Array {
  const ikm = Buffer.concat([version, suiteId, Buffer.from('eae_prk'), dh])
  const info = Buffer.concat([
    Uint8Array.of(0, keySize),
    version,
    suiteId,
    Buffer.from('shared_secret'),
    kemContext,
  ])
  return expand(sha256, extract(sha256, ikm, new Uint8Array()), info, keySize)
}
