import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import type { HashName } from './hashing.node.ts'

/** `hashing.node.ts` for browsers and other runtimes of JavaScript. */

const HASHES = { md5, sha1, sha256, sha512 } as const

export const digestOf = (name: HashName, bytes: Uint8Array): Uint8Array => HASHES[name](bytes)

export const hmacOf = (name: HashName, key: Uint8Array, bytes: Uint8Array): Uint8Array =>
  hmac(HASHES[name], key, bytes)
