import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConformanceError } from './conformanceError.ts'
import { expectEqual, expectThat, shownPair } from './expect.ts'
import { shown } from './shown.ts'

/** Values that checks compare, and those that only look like them. */
const value = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withNullPrototype: true,
  withBoxedValues: true,
  withObjectString: true,
})
const numbersAndTheirTexts = fc.oneof(fc.integer(), fc.double(), fc.bigInt()).map(String)
const lookalike = fc.oneof(
  numbersAndTheirTexts,
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(
    null,
    undefined,
    'null',
    'undefined',
    'absent',
    '',
    '""',
    '{}',
    '[]',
    'NaN',
    '12n',
  ),
  fc.json(),
  fc.jsonValue(),
)

function failureOf(observed: unknown, expected: unknown): ConformanceError {
  try {
    expectEqual(observed, expected, 'it')
  } catch (error) {
    if (error instanceof ConformanceError) return error
    throw error
  }
  throw new Error('they are equal')
}

describe('values that are not deeply equal never print as the same text', () => {
  const differ = (a: unknown, b: unknown) => {
    fc.pre(!isDeepStrictEqual(a, b))
    const { expected, observed } = failureOf(a, b)
    expect(observed).not.toBe(expected)
  }
  test('of any kind', () => fc.assert(fc.property(value, value, differ), { numRuns: 2_000 }))
  test('that look alike', () =>
    fc.assert(fc.property(lookalike, lookalike, differ), { numRuns: 2_000 }))
  test('a value and its own text', () =>
    fc.assert(
      fc.property(value, (a) => differ(a, shown(a))),
      { numRuns: 2_000 },
    ))
  test('of any length, that differ anywhere', () => {
    const text = fc.string({ minLength: 9_000, maxLength: 30_000, unit: fc.constant('ab') })
    fc.assert(
      fc.property(text, fc.nat(), (long, at) => {
        const place = at % long.length
        const other = `${long.slice(0, place)}X${long.slice(place + 1)}`
        differ(long, other)
        const before = place % 9_000
        const hex = `0x${'ab'.repeat(before)}cd${'ab'.repeat(9_000 - before)}`
        differ(`0x${'ab'.repeat(9_001)}`, hex)
      }),
      { numRuns: 50 },
    )
  })
})

test.each([
  ['12', 12, '"12"', '12'],
  [12n, 12, '12n', '12'],
  [undefined, 'absent', 'absent', '"absent"'],
  [undefined, null, 'absent', 'null'],
  ['', undefined, '""', 'absent'],
  [{ a: undefined }, {}, '{"a":undefined}', '{}'],
  ['{"a":1}', { a: 1 }, '"{\\"a\\":1}"', '{"a":1}'],
  [[1], '[1]', '[1]', '"[1]"'],
  ['a text', 'another', 'a text', 'another'],
  [-0, 0, '-0', '0'],
])('%o and %o', (expected, observed, first, second) => {
  expect(shownPair(expected, observed)).toEqual({ expected: first, observed: second })
})

test('a sentence that says what is expected has no quotes', () => {
  const run = () => expectThat(false, 'the id', 'a number from 1', 'x')
  expect(run).toThrow(expect.objectContaining({ expected: 'a number from 1', observed: 'x' }))
  expect(shownPair('12', 12)).toEqual({ expected: '"12"', observed: '12' })
})

test.each([
  ['the members of a failure', 'the members of a failure are wrong'],
  ['the first two rows after the task', 'the first two rows after the task are wrong'],
  ['the HTTP status', 'the HTTP status is wrong'],
  ['the address of the client', 'the address of the client is wrong'],
  ['the number of deliveries', 'the number of deliveries is wrong'],
  ['result.operator_errors', 'result.operator_errors is wrong'],
])('%s', (what, message) => {
  expect(() => expectThat(false, what, 1, 2)).toThrow(new RegExp(`^${message}$`))
})
