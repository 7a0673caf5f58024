import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'
import { commonAncestor } from './commonAncestor.ts'

const blockOf = (number: number): IndexedBlock => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestamp: number,
})

const cases = fc.record({
  numbers: fc.uniqueArray(fc.nat(20_000), { maxLength: 3_000 }),
  /** Blocks above it have been replaced. */
  last: fc.integer({ min: -1, max: 20_000 }),
  below: fc.option(fc.nat(20_001), { nil: undefined }),
})

it('is the newest indexed block that still exists, found with few requests', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ numbers, last, below }) => {
      const known = [...numbers].sort((a, b) => b - a).map(blockOf)
      const expected = known.filter(({ number }) => number < (below ?? Number.POSITIVE_INFINITY))
      let asked = 0
      const found = await commonAncestor({
        index: {
          knownBlocks: async (_, { limit, before = Number.POSITIVE_INFINITY }) =>
            known.filter(({ number }) => number < before).slice(0, limit),
        },
        chainId: 1,
        isSame: async ({ number }) => {
          asked += 1
          return number <= last
        },
        below,
      })
      expect(found.ancestor).toEqual(expected.find(({ number }) => number <= last))
      if (found.ancestor === undefined) expect(found.lowest).toBe(expected.at(-1)?.number)
      expect(asked).toBeLessThan(20)
    }),
    { numRuns: 50 },
  )
})
