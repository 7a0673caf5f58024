import { createHash, createHmac } from 'node:crypto'

/** Hash functions of built-ins; `hashing.portable.ts` is the same for browsers and workers. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512'

export const digestOf = (name: HashName, bytes: Uint8Array): Uint8Array =>
  createHash(name).update(bytes).digest()

export const hmacOf = (name: HashName, key: Uint8Array, bytes: Uint8Array): Uint8Array =>
  createHmac(name, key).update(bytes).digest()
