import type { webcrypto } from 'node:crypto'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'

/** Suite of decision K2: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305. */
export const suite = new CipherSuite({
  kem: KemId.DhkemX25519HkdfSha256,
  kdf: KdfId.HkdfSha256,
  aead: AeadId.Chacha20Poly1305,
})

/** Bytes of an X25519 key, private or public, and of the encapsulated key. */
export const keySize = 32

/** A copy with its own ArrayBuffer, as the cipher library requires. */
export const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

export type Sealed = { readonly enc: Uint8Array; readonly ciphertext: Uint8Array }

export type SealOptions = {
  readonly recipientPublicKey: Uint8Array
  readonly plaintext: Uint8Array
  readonly aad: Uint8Array
}

/** RFC 9180 base mode, one shot, empty `info` (decision K2). */
export async function seal(options: SealOptions): Promise<Sealed> {
  const recipientPublicKey = await suite.kem.importKey('raw', bufferOf(options.recipientPublicKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey },
    bufferOf(options.plaintext),
    bufferOf(options.aad),
  )
  return { enc: new Uint8Array(enc), ciphertext: new Uint8Array(ct) }
}

export type OpenOptions = Sealed & {
  readonly recipientKey: webcrypto.CryptoKey
  readonly aad: Uint8Array
  /** Empty in this protocol; the vectors of RFC 9180 have one. */
  readonly info?: Uint8Array | undefined
}

/**
 * The inverse of `seal`; rejects if key, bytes or associated data differ from those of the sender.
 */
export async function open(options: OpenOptions): Promise<Uint8Array> {
  const info = options.info === undefined ? {} : { info: bufferOf(options.info) }
  const plaintext = await suite.open(
    { recipientKey: options.recipientKey, enc: bufferOf(options.enc), ...info },
    bufferOf(options.ciphertext),
    bufferOf(options.aad),
  )
  return new Uint8Array(plaintext)
}
