import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { keccak256, stringToBytes } from 'viem'

/** keccak-256 of the UTF-8 bytes of an envelope exactly as it was sent (decision K5). */
export const dataReferenceOf = (envelope: string): Bytes32 => keccak256(stringToBytes(envelope))
