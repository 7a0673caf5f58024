import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'

const hasher = await createKeccak(256)

/**
 * Keccak-256 of bytes. The one of viem is JavaScript and fifteen times slower, which matters for
 * responses and transactions of many kilobytes.
 */
export function keccak256(data: Hex | Uint8Array): Hex {
  const bytes = typeof data === 'string' ? Buffer.from(data.slice(2), 'hex') : data
  return `0x${hasher.init().update(bytes).digest()}`
}
