import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { compareDecimals, parseDecimal, withinTenth } from './decimal.ts'

const compare = (a: string, b: string) =>
  Math.sign(compareDecimals(parseDecimal(a), parseDecimal(b)))
const near = (a: string, b: string) => withinTenth(parseDecimal(a), parseDecimal(b))

describe('JSON numbers', () => {
  it.each<[string, string, number]>([
    ['0', '-0', 0],
    ['0.000', '0e99', 0],
    ['100', '1e2', 0],
    ['1.50', '15e-1', 0],
    ['1e999', '1e998', 1],
    ['-1e999', '-1e998', -1],
    ['1e-400', '0', 1],
    ['-1e-400', '0', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['2e9999999999', '1e9999999999', 1],
    ['-1', '1', -1],
  ])('compares %s with %s', (a, b, expected) => {
    expect(compare(a, b)).toBe(expected)
    expect(compare(b, a)).toBe(0 - expected)
  })

  it.each<[string, string, boolean]>([
    ['110', '100', true],
    ['90', '100', true],
    ['110.0000000000000000001', '100', false],
    ['89.9999999999999999999', '100', false],
    ['-110', '-100', true],
    ['100', '-100', false],
    ['0', '0.0', true],
    ['1e-400', '0', false],
    ['0', '1e-400', false],
    ['1.05e999', '1e999', true],
    ['1e9999999999', '1', false],
    ['9.5', '10', true],
    ['99.5', '100', true],
  ])('%s is within a tenth of %s: %s', (a, b, expected) => {
    expect(near(a, b)).toBe(expected)
  })

  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  property([number, number])('are ordered as doubles are', (a, b) => {
    const sign = a === b ? 0 : a < b ? -1 : 1
    expect(compare(JSON.stringify(a), JSON.stringify(b))).toBe(sign)
  })

  property([fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: -30, max: 30 })])(
    'are compared with exact arithmetic',
    (reference, percent) => {
      const hundredths = reference * BigInt(100 + percent)
      const expected = Math.abs(percent) <= 10 || reference === 0n
      expect(near(`${hundredths}e-2`, `${reference}`)).toBe(expected)
    },
  )
})
