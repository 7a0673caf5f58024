import { expect, it } from 'vitest'
import { adjustableLimits } from './adjustableLimits.ts'

const start = {
  perKey: { perSecond: 100, burst: 200 },
  perMethod: { simulatePolicyData: { perSecond: 10, burst: 20 } },
}

it('changes limits at run time, and restores the initial ones', () => {
  const limits = adjustableLimits()
  const held = limits.over(start)
  expect(held.perKey).toEqual(start.perKey)
  limits.set({ perKey: { perSecond: 1, burst: 1 } })
  expect(held.perKey).toEqual({ perSecond: 1, burst: 1 })
  expect(held.perMethod).toEqual(start.perMethod)
  expect(limits.current()).toMatchObject({ ...start, perKey: { perSecond: 1, burst: 1 } })
  limits.set({})
  expect(held.perKey).toEqual(start.perKey)
})

it('has separate limits for the explorer', () => {
  const limits = adjustableLimits()
  const explorer = limits.overExplorer({ perSecond: 3, burst: 4 })
  const { perMethod, ...withoutMethods } = start
  const gateway = limits.over(withoutMethods)
  expect(gateway.perMethod).toBeUndefined()
  limits.set({ explorer: { perSecond: 1, burst: 2 } })
  expect([explorer.perSecond, explorer.burst]).toEqual([1, 2])
  expect(gateway.perKey).toEqual(start.perKey)
  limits.set({})
  expect([explorer.perSecond, explorer.burst]).toEqual([3, 4])
})
