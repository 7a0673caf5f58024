import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quorumReached, requiredStake } from './quorum.ts'

const tally = (signedStake: bigint, totalStake: bigint) => ({
  quorumNumber: 0,
  signedStake,
  totalStake,
})

describe('quorumReached (decision T7)', () => {
  it.each([
    [67n, 100n, 67, true],
    [66n, 100n, 67, false],
    [2n, 3n, 66, true],
    [2n, 3n, 67, false],
    [100n, 100n, 100, true],
    [99n, 100n, 100, false],
    [0n, 100n, 0, true],
    [0n, 100n, 1, false],
    [0n, 0n, 0, false],
    [0n, 0n, 67, false],
  ])('%s of %s at %s %%: %s', (signed, total, threshold, expected) => {
    expect(quorumReached(tally(signed, total), threshold)).toBe(expected)
  })

  const stake = fc.bigInt({ min: 0n, max: 2n ** 96n })
  const threshold = fc.integer({ min: 0, max: 100 })

  it('is exact at any size: the required stake is the least sufficient one', () => {
    fc.assert(
      fc.property(stake, threshold, (total, percentage) => {
        fc.pre(total > 0n)
        const required = requiredStake(total, percentage)
        expect(quorumReached(tally(required, total), percentage)).toBe(true)
        if (required > 0n) {
          expect(quorumReached(tally(required - 1n, total), percentage)).toBe(false)
        }
      }),
    )
  })

  it('is monotonic in stake and threshold', () => {
    fc.assert(
      fc.property(stake, stake, threshold, (a, b, percentage) => {
        const [signed, total] = a < b ? [a, b] : [b, a]
        if (!quorumReached(tally(signed, total), percentage)) return
        expect(quorumReached(tally(total, total), percentage)).toBe(true)
        expect(quorumReached(tally(signed, total), Math.max(0, percentage - 1))).toBe(true)
      }),
    )
  })
})
