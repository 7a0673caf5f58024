import fc from 'fast-check'
import { RpcRequestError } from 'viem'
import { describe, expect, it } from 'vitest'
import { createBatchSize } from './batchSize.ts'
import { IndexerError } from './indexerError.ts'
import { readAhead } from './readAhead.ts'
import type { Batch } from './readBatch.ts'

const hash = `0x${'00'.repeat(32)}` as const
function batchOf({ from, to }: { readonly from: number; readonly to: number }): Batch {
  const tip = { number: to, hash, timestamp: to }
  return { from, to, parentHash: hash, blocks: [tip], tip, events: [], odd: [] }
}
const tooMany = () =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_005, message: 'no' } })

const options = fc.record({
  from: fc.nat(50),
  blocks: fc.integer({ min: 0, max: 200 }),
  maxBlocks: fc.integer({ min: 1, max: 80 }),
  /** More blocks are rejected. */
  most: fc.integer({ min: 1, max: 80 }),
  parallel: fc.integer({ min: 1, max: 8 }),
  delays: fc.infiniteStream(fc.nat(3)),
})

describe('reading ahead', () => {
  it('returns every block once and in order, despite rejections and delays', async () => {
    await fc.assert(
      fc.asyncProperty(options, async ({ from, blocks, maxBlocks, most, parallel, delays }) => {
        let underWay = 0
        const read = async (range: { readonly from: number; readonly to: number }) => {
          underWay += 1
          // A split range counts as one more for a while.
          expect(underWay).toBeLessThanOrEqual(parallel + 8)
          for (let turns = delays.next().value ?? 0; turns > 0; turns -= 1) await null
          underWay -= 1
          if (range.to - range.from >= most) throw tooMany()
          return batchOf(range)
        }
        const size = createBatchSize({ maxBlocks, maxLogs: 10 })
        let next = from
        const to = from + blocks - 1
        for await (const batch of readAhead({ read, from, to, size, parallel })) {
          expect(batch.from).toBe(next)
          expect(batch.to).toBeLessThan(next + most)
          next = batch.to + 1
        }
        expect(next).toBe(from + blocks)
      }),
    )
  })

  it('reads ahead with bounded concurrency', async () => {
    const begun: number[] = []
    const size = createBatchSize({ maxBlocks: 10, maxLogs: 10 })
    const read = async (range: { readonly from: number; readonly to: number }) => {
      begun.push(range.from)
      return batchOf(range)
    }
    const batches = readAhead({ read, from: 0, to: 99, size, parallel: 3 })
    await batches.next()
    expect(begun).toEqual([0, 10, 20])
    await batches.next()
    expect(begun).toEqual([0, 10, 20, 30])
    await batches.return()
    expect(begun).toEqual([0, 10, 20, 30])
  })

  it.each([
    ['one block is too large', tooMany(), 1],
    ['the node disagrees', new IndexerError('disagreement', 'another'), 10],
    ['it fails for another reason', new TypeError('broken'), 10],
  ])('fails when %s', async (_, error, blocks) => {
    const read = async () => {
      throw error
    }
    const size = createBatchSize({ maxBlocks: 10, maxLogs: 10 })
    const batches = readAhead({ read, from: 0, to: blocks - 1, size, parallel: 3 })
    await expect(batches.next()).rejects.toBe(error)
  })
})
