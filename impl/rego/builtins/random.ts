import { createHash } from 'node:crypto'
import type { RandomSource } from './builtin.ts'

/**
 * A source whose bytes are hashes of seed, label and counter. The seed is generated on first use.
 */
export function seededRandom(seed: () => Uint8Array): RandomSource {
  let start: Uint8Array | undefined
  return {
    bytes: (label, count) => {
      start ??= seed()
      const blocks: Buffer[] = []
      for (let block = 0; block * 32 < count; block++) {
        blocks.push(createHash('sha256').update(start).update(`/${block}/${label}`).digest())
      }
      return Buffer.concat(blocks).subarray(0, count)
    },
  }
}
