import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { BadBlock, collectBlock } from './collectBlock.ts'
import { blockId, rawCodec } from './contentId.ts'

async function* each(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 })

describe('a block joined from pieces', () => {
  property({ pieces, said: fc.option(fc.nat(200), { nil: undefined }) }, { numRuns: 500 })(
    'is the same for any pieces and any declared size',
    async ({ pieces, said }) => {
      const block = Buffer.concat(pieces)
      const limits = { maxBytes: 200, expected: said }
      const collected = await collectBlock(blockId(rawCodec, block), each(pieces), limits)
      expect(Buffer.from(collected).equals(block)).toBe(true)
    },
  )

  it('is a single piece without a copy, even with empty ones after it', async () => {
    const block = Buffer.from('whole')
    const limits = { maxBytes: 200, expected: block.length }
    const cut = [new Uint8Array(), block, new Uint8Array()]
    const collected = await collectBlock(blockId(rawCodec, block), each(cut), limits)
    expect(Buffer.from(collected).toString()).toBe('whole')
  })

  property({ pieces, bit: fc.nat() })('is rejected with any bit changed', async (sample) => {
    const block = Buffer.concat(sample.pieces)
    fc.pre(block.length > 0)
    const cid = blockId(rawCodec, block)
    block[(sample.bit >> 3) % block.length]! ^= 1 << (sample.bit & 7)
    await expect(collectBlock(cid, each([block]), { maxBytes: 200 })).rejects.toThrow(BadBlock)
  })

  it('is read only up to the limit', async () => {
    const cid = blockId(rawCodec, new Uint8Array())
    let read = 0
    async function* endless() {
      for (;;) {
        read += 10
        yield new Uint8Array(10)
      }
    }
    await expect(collectBlock(cid, endless(), { maxBytes: 25 })).rejects.toThrow(
      'returned more than 25 bytes',
    )
    expect(read).toBe(30)
    const said = collectBlock(cid, endless(), { maxBytes: 25, expected: 26 })
    await expect(said).rejects.toThrow('returned more than 25 bytes')
    expect(read).toBe(30)
  })
})
