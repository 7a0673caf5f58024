import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BuiltinError, LimitError } from '../errors.ts'
import {
  add,
  ceil,
  divide,
  floor,
  fromBigInt,
  fromDouble,
  multiply,
  parseNumber,
  remainder,
  round,
  subtract,
} from './number.ts'

const integer = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })

describe('numbers', () => {
  it('parses numbers exactly', () => {
    const cases: [string, number | bigint | undefined][] = [
      ['0', 0],
      ['-0', 0],
      ['-0.0', 0],
      ['0e99999999999', 0],
      ['12.50', 12.5],
      ['1e3', 1000],
      ['1.25e2', 125],
      ['1.25e1', 12.5],
      ['100e-2', 1],
      ['18446744073709551614', 18446744073709551614n],
      ['9007199254740993.0', 9007199254740993n],
      ['1E+22', 10n ** 22n],
      ['1e-400', 0],
      ['.5', undefined],
      ['1.', undefined],
      ['0x10', undefined],
      ['', undefined],
    ]
    for (const [text, value] of cases) expect(parseNumber(text), text).toBe(value)
    expect(() => parseNumber('1e5000')).toThrow(LimitError)
    expect(() => parseNumber('9'.repeat(5000))).toThrow(LimitError)
  })

  it('divides integers of any size to the nearest double', () => {
    const mantissa = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })
    const exponent = fc.bigInt({ min: 0n, max: 3_000n })
    fc.assert(
      fc.property(mantissa, mantissa, exponent, exponent, (a, b, up, down) => {
        // Division of doubles rounds to the nearest; a power of two changes no digit of it.
        const power = Number(up - down)
        fc.pre(Math.abs(power) < 900)
        const nearest = (Number(a) / Number(b)) * 2 ** power
        for (const sign of [1n, -1n]) {
          const result = divide(fromBigInt(sign * (a << up)), fromBigInt(b << down))
          expect(Number(result)).toBe(Number(sign) * nearest)
        }
      }),
    )
    expect(divide(1, 10n ** 300n)).toBe(1e-300)
    expect(divide(3, -(10n ** 310n))).toBe(-3e-310)
  })

  it('computes with integers exactly', () => {
    fc.assert(
      fc.property(integer, integer, (x, y) => {
        const [a, b] = [fromBigInt(x), fromBigInt(y)]
        expect(BigInt(add(a, b))).toBe(x + y)
        expect(BigInt(subtract(a, b))).toBe(x - y)
        expect(BigInt(multiply(a, b))).toBe(x * y)
        if (y !== 0n) {
          expect(BigInt(remainder(a, b))).toBe(x % y)
          expect(divide(multiply(a, b), b)).toBe(a)
        }
      }),
    )
  })

  it('computes fractions in doubles', () => {
    expect(add(0.1, 0.2)).toBe(0.30000000000000004)
    expect(divide(1, 3)).toBe(1 / 3)
    expect(add(0.5, 0.5)).toBe(1)
    expect(divide(100000000000000000000n, 7)).toBe(14285714285714287000n)
    expect(multiply(0.5, 10n ** 18n)).toBe(5n * 10n ** 17n)
    expect(divide(10n ** 400n + 1n, 10n ** 400n)).toBe(1)
    expect(Object.is(multiply(0, -5), 0)).toBe(true)
    expect(Object.is(remainder(-4, 2), 0)).toBe(true)
  })

  it('rejects operations without a result', () => {
    expect(() => divide(1, 0)).toThrow(new BuiltinError('divide by zero'))
    expect(() => remainder(1, 0)).toThrow(new BuiltinError('modulo by zero'))
    expect(() => remainder(5.5, 2)).toThrow(new BuiltinError('modulo on floating-point number'))
    expect(() => multiply(1.5e300, 1.5)).not.toThrow()
    expect(() => multiply(10n ** 3000n, 10n ** 3000n)).toThrow(LimitError)
    expect(() => fromDouble(Number.POSITIVE_INFINITY)).toThrow(BuiltinError)
  })

  it('rounds half away from zero', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, 2].map(round)).toEqual([
      1, 2, 3, -1, -2, 0, 2,
    ])
    expect([-0.5, 0.5, 7].map(ceil)).toEqual([0, 1, 7])
    expect([-0.5, 0.5, 7].map(floor)).toEqual([-1, 0, 7])
  })
})
