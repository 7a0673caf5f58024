import { type Hex, hexToBytes } from 'viem'
import { keccak256 } from './keccak256.ts'

/**
 * Whether a bloom filter may contain an address that has logged, or a topic. False positives are
 * possible, false negatives are not.
 *
 * @param bloom 256 bytes: `logsBloom` of the block
 */
export function bloomHas(bloom: Hex, member: Hex): boolean {
  const bits = hexToBytes(bloom)
  const hash = hexToBytes(keccak256(member))
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047
    return ((bits[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
  })
}
