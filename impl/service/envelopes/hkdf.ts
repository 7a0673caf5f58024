import { createHmac } from 'node:crypto'
import { KdfId, type KdfInterface } from 'hpke-js'

/** Bytes of a SHA-256 hash. */
const hashSize = 32

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** HKDF-Extract of RFC 5869, section 2.2. An empty salt is one of zeros. */
export const extract = (salt: Uint8Array, ikm: Uint8Array): Buffer =>
  hmac(salt.length === 0 ? new Uint8Array(hashSize) : salt, ikm)

/** HKDF-Expand of RFC 5869, section 2.3. @throws Error for more than 255 hashes */
export function expand(prk: Uint8Array, info: Uint8Array, length: number): Uint8Array {
  const rounds = Math.ceil(length / hashSize)
  if (rounds > 255) throw new Error(`HKDF-SHA256 has at most ${255 * hashSize} bytes`)
  const okm = new Uint8Array(rounds * hashSize)
  let previous: Uint8Array = new Uint8Array()
  for (let round = 1; round <= rounds; round++) {
    previous = hmac(prk, previous, info, Uint8Array.of(round))
    okm.set(previous, (round - 1) * hashSize)
  }
  return okm.slice(0, length)
}

const version = Buffer.from('HPKE-v1')

/**
 * The KDF of RFC 9180, section 4, for one cipher suite. That of the library waits for a job of
 * WebCrypto in each of five steps, which costs more than decrypting.
 */
export function createKdf(): KdfInterface {
  let suiteId: Uint8Array = new Uint8Array()
  const kdf: KdfInterface = {
    id: KdfId.HkdfSha256,
    hashSize,
    init(id) {
      suiteId = id
    },
    buildLabeledIkm: (label, ikm) => Uint8Array.from(Buffer.concat([version, suiteId, label, ikm])),
    buildLabeledInfo: (label, info, length) =>
      Uint8Array.from(
        Buffer.concat([Uint8Array.of(length >> 8, length & 0xff), version, suiteId, label, info]),
      ),
    extract: async (salt, ikm) => bufferOf(extract(bytesOf(salt), bytesOf(ikm))),
    expand: async (prk, info, length) => bufferOf(expand(bytesOf(prk), bytesOf(info), length)),
    extractAndExpand: async (salt, ikm, info, length) =>
      bufferOf(expand(extract(bytesOf(salt), bytesOf(ikm)), bytesOf(info), length)),
    labeledExtract: (salt, label, ikm) => kdf.extract(salt, kdf.buildLabeledIkm(label, ikm)),
    labeledExpand: (prk, label, info, length) =>
      kdf.expand(prk, kdf.buildLabeledInfo(label, info, length), length),
  }
  return kdf
}

const bytesOf = (data: ArrayBufferLike | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
