import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'

/** @throws InvalidOptionsError */
export function checkAddress(name: string, value: unknown): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value as Hex
  throw new InvalidOptionsError(`${name} is not an address.`, 'Pass 0x and 40 hex digits.')
}

/** @throws InvalidOptionsError */
export function checkDomain(name: string, value: unknown): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value as Hex
  throw new InvalidOptionsError(
    `${name} is not 32 bytes of hex.`,
    'A domain is any 32 bytes, such as the keccak256 hash of a name.',
  )
}

/** Longest plaintext of identity data, and of confidential data; bytes. */
export const maxIdentityBytes = 64 * 1024
export const maxConfidentialBytes = 1024 * 1024

/**
 * A plaintext that operators can use: UTF-8 JSON of an object.
 *
 * @throws InvalidOptionsError, which repeats nothing of it
 */
export function checkPlaintext(name: string, plaintext: Uint8Array, most: number): void {
  if (plaintext.length > most)
    throw new InvalidOptionsError(
      `${name} is larger than ${most} bytes.`,
      'Operators refuse larger data.',
    )
  if (isObject(plaintext)) return
  throw new InvalidOptionsError(
    `${name} is not a JSON object.`,
    'Pass the UTF-8 bytes of an object: policies read its members.',
  )
}

function isObject(plaintext: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
