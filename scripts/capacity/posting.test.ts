import { describe, expect, it } from 'vitest'
import { postingPlan, postingRate } from './posting.ts'

const posting = {
  gasUsedPerResult: 400_000,
  gasLimitPerResult: 1_250_000,
  calldataBytesPerResult: 3_000,
}
const slow = { name: 'slow', blockGas: 30e6, blockMs: 12_000 }

describe('posting every result', () => {
  it('fills a block as far as the gas limits of its transactions fit', () => {
    // 12 results reserve 15M and use 4.8M: a fourth transaction fits beside three, no fifth.
    const rate = postingRate(posting, slow, 4)
    expect(rate.resultsPerTransaction).toBe(12)
    // Four transactions of 12; some are smaller, as 160 results in flight are no multiple of it.
    expect(rate.resultsPerBlock).toBeGreaterThan(44)
    expect(rate.resultsPerBlock).toBeLessThanOrEqual(48)
    expect(rate.perSecond).toBeCloseTo(rate.resultsPerBlock / 12)
  })

  it('is limited by the results in flight of an account on large blocks', () => {
    const large = { ...slow, blockGas: 1e9 }
    expect(postingRate(posting, large, 1).resultsPerBlock).toBe(160)
    expect(postingRate(posting, large, 2).resultsPerBlock).toBe(320)
  })

  it('never takes more than the gas of a block', () => {
    for (const accounts of [1, 2, 8])
      expect(postingRate(posting, slow, accounts).gasUsed).toBeLessThanOrEqual(1)
  })

  it('needs chains in proportion to the rate', () => {
    const costs = { posting } as Parameters<typeof postingPlan>[0]['costs']
    const options = { costs, chain: slow, maxUtilisation: 0.7, commitmentGas: 60_000 }
    const one = postingPlan({ ...options, rate: 100 })
    const ten = postingPlan({ ...options, rate: 1_000 })
    expect(ten.chains / one.chains).toBeCloseTo(10, 0)
    expect(one.chainsGasBound).toBeLessThan(one.chains)
  })
})
