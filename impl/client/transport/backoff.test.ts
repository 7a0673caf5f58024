import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('backoffMs', () => {
  property([fc.nat(1_000), fc.float({ min: 0, max: 1, noNaN: true })])(
    'is between half and all of a doubling delay, which is bounded',
    (retry, random) => {
      const whole = Math.min(10_000, 250 * 2 ** Math.min(retry, 30))
      const wait = backoffMs(retry, random)
      expect(wait).toBeGreaterThanOrEqual(whole / 2)
      expect(wait).toBeLessThanOrEqual(whole)
    },
  )

  it('differs between clients', () => {
    expect(new Set(Array.from({ length: 20 }, () => backoffMs(3))).size).toBeGreaterThan(10)
  })
})
