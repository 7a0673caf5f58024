import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBatchSize } from './batchSize.ts'

describe('the number of blocks per request', () => {
  it('is halved after a rejection, and grows again after successes', () => {
    const size = createBatchSize({ maxBlocks: 1_000, maxLogs: 100 })
    size.refused(1_000)
    expect(size.blocks).toBe(500)
    // A parallel request of the old size is rejected too.
    size.refused(1_000)
    expect(size.blocks).toBe(500)
    size.refused(3)
    expect(size.blocks).toBe(1)
    for (let answers = 0; answers < 16; answers += 1) size.answered(1, 0)
    expect(size.blocks).toBe(2)
    size.answered(2, 0)
    expect(size.blocks).toBe(4)
    // A partial range says nothing about a full one.
    size.answered(1, 0)
    expect(size.blocks).toBe(4)
    size.answered(4, 26)
    expect(size.blocks).toBe(4)
  })

  it('finds the size that a node accepts, and seldom tries more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        (most, max) => {
          const size = createBatchSize({ maxBlocks: max, maxLogs: 100 })
          let [refused, answered] = [0, 0]
          while (answered < 200) {
            const requested = size.blocks
            expect(requested).toBeGreaterThanOrEqual(1)
            expect(requested).toBeLessThanOrEqual(max)
            if (requested > most) {
              refused += 1
              size.refused(requested)
            } else {
              answered += 1
              size.answered(requested, 0)
            }
          }
          expect(refused).toBeLessThan(14 + 200 / 16)
          expect(size.blocks).toBeGreaterThanOrEqual(Math.min(max, Math.ceil(most / 4)))
        },
      ),
    )
  })
})
