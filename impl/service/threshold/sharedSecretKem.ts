import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { AeadId, CipherSuite, KdfId, KemId, type KemInterface } from 'hpke-js'
import { bufferOf, keySize, suite } from '../envelopes/hpke.ts'
import { ThresholdError } from './thresholdError.ts'

export type OpenWithSharedSecret = {
  /** The 32 bytes that X25519 gives sender and recipient. */
  readonly dh: Uint8Array
  readonly recipientPublicKey: Uint8Array
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
  readonly aad: Uint8Array
  /** Empty on our wire; the vectors of RFC 9180 have one. */
  readonly info?: Uint8Array | undefined
}

/**
 * Opens what was sealed in base mode (decision K2) by one who holds the Diffie-Hellman value and not
 * the private key: the key schedule and the cipher are the library's, only its KEM is exchanged.
 *
 * @throws ThresholdError `point` for the all-zero value; rejects when it does not open
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
  // The exchanged KEM reads no private key; the type wants one.
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

/** A KEM that has decapsulated already. */
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
