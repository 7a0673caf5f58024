import { sha256 as hash } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** `values.node.ts` for browsers and other runtimes of JavaScript. */

export const toHex = (bytes: Uint8Array): string => bytesToHex(bytes)

export const ofHex = (text: string): Uint8Array => hexToBytes(text)

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const STANDARD = `${LETTERS}+/`
const URL_SAFE = `${LETTERS}-_`

export function toBase64(bytes: Uint8Array, url = false): string {
  const alphabet = url ? URL_SAFE : STANDARD
  const at = (bits: number): string => alphabet[bits & 63] as string
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const bits = (a << 16) | (b << 8) | c
    const left = bytes.length - i
    text += at(bits >> 18) + at(bits >> 12)
    if (left > 1) text += at(bits >> 6)
    if (left > 2) text += at(bits)
  }
  return url ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

const SIX_BITS: ReadonlyMap<string, number> = new Map(
  [...STANDARD, ...URL_SAFE].map((char, i) => [char, i & 63]),
)

export function ofBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  for (let i = 0, at = 0; i < text.length; i++) {
    bits = (bits << 6) | (SIX_BITS.get(text[i] as string) as number)
    if (i % 4 === 0) continue
    // 6 of 12, 18 and 24 bits are kept for the next byte.
    bytes[at++] = bits >> (6 - 2 * (i % 4))
  }
  return bytes
}

export const sha256 = (parts: readonly Uint8Array[]): Uint8Array => hash(concatBytes(...parts))

export const randomSeed = (): Uint8Array => globalThis.crypto.getRandomValues(new Uint8Array(16))
