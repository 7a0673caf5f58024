import { sha256 } from '#platform'
import type { RandomSource } from './builtin.ts'
import { bytesIn, joined } from './bytes.ts'

/**
 * A source whose bytes are hashes of seed, label and counter. The seed is generated on first use.
 */
export function seededRandom(seed: () => Uint8Array): RandomSource {
  let start: Uint8Array | undefined
  return {
    bytes: (label, count) => {
      start ??= seed()
      const blocks: Uint8Array[] = []
      for (let block = 0; block * 32 < count; block++) {
        blocks.push(sha256([start, bytesIn(`/${block}/${label}`)]))
      }
      return joined(blocks).subarray(0, count)
    },
  }
}
