import { createHash } from 'node:crypto'
import type { RandomSource } from './builtin.ts'

/** A source whose bytes are hashes of the seed, the label and a counter. */
export const seededRandom = (seed: Uint8Array): RandomSource => ({
  bytes: (label, count) => {
    const blocks: Buffer[] = []
    for (let block = 0; block * 32 < count; block++) {
      blocks.push(createHash('sha256').update(seed).update(`/${block}/${label}`).digest())
    }
    return Buffer.concat(blocks).subarray(0, count)
  },
})
