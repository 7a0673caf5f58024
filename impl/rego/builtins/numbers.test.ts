import { describe, expect, it } from 'vitest'
import { call, callWith, set, testContext } from './builtinCalls.fixture.ts'
import { seededRandom } from './random.ts'

describe('numbers', () => {
  it.each<[string, unknown[], unknown]>([
    ['plus', [2, 3], 5],
    ['minus', [2, 3], -1],
    ['minus', [set(1, 2, 3), set(2)], set(1, 3)],
    ['mul', [4_000_000_000, 4_000_000_000], 16_000_000_000_000_000_000n],
    ['div', [7, 2], 3.5],
    ['rem', [-7, 3], -1],
    ['abs', [-1.5], 1.5],
    ['round', [-2.5], -3],
    ['ceil', [1.2], 2],
    ['floor', [-1.2], -2],
    ['numbers.range', [3, 1], [3, 2, 1]],
    [
      'numbers.range',
      [9007199254740990n, 9007199254740993n],
      [9007199254740990, 9007199254740991, 9007199254740992n, 9007199254740993n],
    ],
    ['numbers.range_step', [0, 10, 4], [0, 4, 8]],
    ['numbers.range_step', [10, 0, 5], [10, 5, 0]],
    ['bits.and', [12, 10], 8],
    ['bits.or', [12, 10], 14],
    ['bits.xor', [12, 10], 6],
    ['bits.negate', [5], -6],
    ['bits.lsh', [1, 70], 2n ** 70n],
    ['bits.rsh', [-8, 1], -4],
    ['bits.rsh', [1, 1e15], 0],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['plus', ['a', 1], 'operand 1 must be number but got string'],
    ['minus', [null, 1], 'operand 1 must be one of {number, set} but got null'],
    ['minus', [1, set()], 'operand 2 must be number but got set'],
    ['minus', [set(), 1], 'operand 2 must be set but got number'],
    ['div', [1, 0], 'divide by zero'],
    ['rem', [1, 0], 'modulo by zero'],
    ['rem', [1.5, 1], 'modulo on floating-point number'],
    ['numbers.range', [1.5, 2], 'operand 1 must be integer number but got floating-point number'],
    ['numbers.range', ['1', 2], 'operand 1 must be integer but got string'],
    [
      'numbers.range_step',
      [1, 2, 0],
      'numbers.range_step: step must be a positive number above zero',
    ],
    [
      'bits.lsh',
      [1, -1],
      'operand 2 must be an unsigned integer number but got a negative integer',
    ],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(expect.objectContaining({ message }))
  })

  it('returns the same number for the same label within an evaluation', () => {
    const ctx = testContext()
    const drawn = callWith(ctx, 'rand.intn', 'a', 1_000_000)
    expect(callWith(ctx, 'rand.intn', 'a', 1_000_000)).toBe(drawn)
    expect(callWith(ctx, 'rand.intn', 'b', 1_000_000)).not.toBe(drawn)
    const other = testContext({ random: seededRandom(() => new Uint8Array(32).fill(1)) })
    expect(callWith(other, 'rand.intn', 'a', 1_000_000)).not.toBe(drawn)
    expect(callWith(ctx, 'rand.intn', 'a', 0)).toBe(0)
    expect(callWith(ctx, 'rand.intn', 'a', -5)).toBeLessThan(5)
  })
})
