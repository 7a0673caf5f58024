import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { AeadId, CipherSuite, KdfId, KemId, type KemInterface } from 'hpke-js'
import { EnvelopeError } from './envelopeError.ts'
import { createKdf, expand, extract } from './hkdf.ts'

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
  /** Empty in the general form of envelopes (decision K2). */
  readonly info?: Uint8Array | undefined
}

/** RFC 9180 base mode, one shot. @throws Error for an invalid key */
export async function seal(options: SealOptions): Promise<Sealed> {
  const { recipientPublicKey: recipient } = options
  const { enc, dh } = encapsulate(recipient)
  const sharedSecret = bufferOf(sharedSecretOf(dh, Buffer.concat([enc, recipient])))
  dh.fill(0)
  const own = new CipherSuite({
    kem: kemThat({ encap: async () => ({ enc: bufferOf(enc), sharedSecret }) }),
    kdf: createKdf(),
    aead: AeadId.Chacha20Poly1305,
  })
  const recipientPublicKey = await suite.kem.importKey('raw', bufferOf(recipient))
  const { ct } = await own.seal(
    { recipientPublicKey, info: bufferOf(options.info ?? new Uint8Array()) },
    bufferOf(options.plaintext),
    bufferOf(options.aad),
  )
  return { enc, ciphertext: new Uint8Array(ct) }
}

/** A new key pair of the sender, and its shared secret with the recipient, by Node. */
function encapsulate(recipient: Uint8Array): { readonly enc: Uint8Array; readonly dh: Uint8Array } {
  const { publicKey: own, privateKey } = generateKeyPairSync('x25519')
  const enc = new Uint8Array(Buffer.from(String(own.export({ format: 'jwk' }).x), 'base64url'))
  const x = Buffer.from(recipient).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
  return { enc, dh: diffieHellman({ privateKey, publicKey }) }
}

/** A key pair that messages are encrypted to. */
export type Recipient = {
  /** 64 hex digits. */
  readonly publicKey: string
  /** The X25519 shared secret with a public key. @throws Error for a point of small order */
  agree(publicKey: Uint8Array): Uint8Array
}

type SealedTo = Sealed & {
  readonly aad: Uint8Array
  readonly info?: Uint8Array | undefined
}

/**
 * The inverse of `seal`; rejects if key, bytes or associated data differ from those of the sender.
 */
export async function open(
  options: SealedTo & { readonly recipient: Recipient },
): Promise<Uint8Array> {
  const { recipient, enc } = options
  const recipientPublicKey = Buffer.from(recipient.publicKey, 'hex')
  return await openWithSharedSecret({ ...options, recipientPublicKey, dh: recipient.agree(enc) })
}

/**
 * Decrypts with the Diffie-Hellman value instead of the private key. The key schedule and the cipher
 * are those of the library. Its KEM is replaced, whose X25519 is JavaScript and twenty times slower
 * than that of Node, and its KDF (`createKdf`).
 *
 * @param options.dh the X25519 shared secret of sender and recipient, 32 bytes
 * @throws EnvelopeError `open` if it is all zero; rejects if it does not decrypt
 */
export async function openWithSharedSecret(
  options: SealedTo & { readonly dh: Uint8Array; readonly recipientPublicKey: Uint8Array },
): Promise<Uint8Array> {
  const { dh, enc, recipientPublicKey, ciphertext, aad, info = new Uint8Array() } = options
  if (dh.every((byte) => byte === 0)) throw new EnvelopeError('open', 'the shared secret is zero')
  const secret = sharedSecretOf(dh, Buffer.concat([enc, recipientPublicKey]))
  const own = new CipherSuite({
    kem: kemThat({ decap: async () => bufferOf(secret) }),
    kdf: createKdf(),
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

/** A KEM with a precomputed shared secret, for one direction. */
function kemThat(does: Partial<Pick<KemInterface, 'encap' | 'decap'>>): KemInterface {
  const refuse = async (): Promise<never> => {
    throw new Error('this KEM has one shared secret only')
  }
  return {
    id: kemId,
    secretSize: keySize,
    encSize: keySize,
    publicKeySize: keySize,
    privateKeySize: keySize,
    decap: refuse,
    encap: refuse,
    serializePublicKey: refuse,
    deserializePublicKey: refuse,
    serializePrivateKey: refuse,
    deserializePrivateKey: refuse,
    importKey: refuse,
    generateKeyPair: refuse,
    deriveKeyPair: refuse,
    ...does,
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
  return expand(extract(new Uint8Array(), ikm), info, keySize)
}
