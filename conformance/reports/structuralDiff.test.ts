import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePoint } from '../arbitraries/codePoint.ts'
import { diffText, structuralDiff } from './structuralDiff.ts'

const lines = (expected: unknown, observed: unknown) =>
  diffText(structuralDiff(JSON.stringify(expected), JSON.stringify(observed)))

describe('of two JSON values', () => {
  test('a line for each path that differs, and none for equal ones', () => {
    const expected = { jsonrpc: '2.0', error: { code: -32602, data: [1, 2] }, id: '1' }
    const observed = { jsonrpc: '2.0', error: { code: -32603, data: [1, 3, 4] }, other: null }
    expect(lines(expected, observed)).toEqual([
      '- $.error.code     -32602',
      '+ $.error.code     -32603',
      '- $.error.data[1]  2',
      '+ $.error.data[1]  3',
      '+ $.error.data[2]  4',
      '- $.id             "1"',
      '+ $.other          null',
    ])
  })

  test('members with unusual names, and names that every object inherits', () => {
    expect(lines({ 'a b': 1 }, { toString: 2 })).toEqual(['- $["a b"]    1', '+ $.toString  2'])
    expect(diffText(structuralDiff('{"__proto__":1}', '{}'))).toEqual(['- $.__proto__  1'])
  })

  test('an object instead of an array is one difference', () => {
    expect(lines({ a: [1] }, { a: { 0: 1 } })).toEqual(['- $.a  [1]', '+ $.a  {"0":1}'])
  })

  test('equal values in different notation are shown as they were written', () => {
    expect(diffText(structuralDiff('{"a":1}', '{ "a": 1 }'))).toEqual(['- {"a":1}', '+ { "a": 1 }'])
  })
})

describe('of texts', () => {
  test('short ones completely', () => {
    expect(diffText(structuralDiff('an object', 'absent'))).toEqual(['- an object', '+ absent'])
  })
  test('long ones from shortly before the first difference', () => {
    const [was, is] = structuralDiff(
      `${'a'.repeat(500)}X${'b'.repeat(500)}`,
      `${'a'.repeat(500)}YY${'b'.repeat(500)}`,
    )
    expect(was?.text).toBe(`…${'a'.repeat(24)}X${'b'.repeat(24)}…`)
    expect(is?.text).toBe(`…${'a'.repeat(24)}YY${'b'.repeat(24)}…`)
  })
})

test('is bounded and never throws, whatever a gateway sent', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(structuralDiff(deep, `${deep} `)).toHaveLength(2)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [i, i]))
  expect(structuralDiff('{}', JSON.stringify(many)).at(-1)?.text).toBe('and 4976 more lines')
  fc.assert(
    fc.property(fc.json(), fc.oneof(fc.json(), fc.string({ unit: codePoint })), (a, b) => {
      const found = structuralDiff(a, b)
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(25)
      expect(found.every(({ text }) => typeof text === 'string')).toBe(true)
      expect(found.every(({ sign }) => sign === ' ')).toBe(a === b)
    }),
    { numRuns: 300 },
  )
})
