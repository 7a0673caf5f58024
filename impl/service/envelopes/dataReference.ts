import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { keccak256, stringToBytes } from 'viem'

/** keccak-256 of the unmodified UTF-8 bytes of an envelope (decision K5). */
export const dataReferenceOf = (envelope: string): Bytes32 => keccak256(stringToBytes(envelope))
