import { describe, expect, test } from 'vitest'
import { differenceTable } from './difference.ts'

/** The rows of the table as text. */
const rows = (expected: unknown, observed: unknown) =>
  differenceTable(JSON.stringify(expected), JSON.stringify(observed))
    .split('<tr')
    .slice(1)
    .map((row) =>
      `<tr${row}`
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )

describe('of two JSON values', () => {
  test('each difference has its path, its kind and its sides', () => {
    const expected = { id: '1', code: -32602, at: 5, data: [{ a: null }] }
    const observed = { code: -32603, at: '5', data: [{ a: [] }], extra: true }
    expect(rows(expected, observed)).toEqual([
      '$.id is missing',
      'expected &quot;1&quot;',
      '$.code has the wrong value',
      'expected -32602',
      'observed -32603',
      '$.at has the wrong type: string instead of number',
      'expected 5',
      'observed &quot;5&quot;',
      '$.data[0].a has the wrong type: array instead of null',
      'expected null',
      'observed []',
      '$.extra is not expected',
      'observed true',
    ])
  })

  test('hundreds of differences are counted', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`m${i}`, i]))
    expect(rows({}, many).at(-1)).toBe('and 284 more differences')
  })

  test('paths and values are text', () => {
    const table = differenceTable('{}', JSON.stringify({ '<b>': '<script>' }))
    expect(table).toContain('$[&quot;&lt;b&gt;&quot;]')
    expect(table).toContain('&lt;script&gt;')
    expect(table).not.toContain('<script>')
  })
})

test('of texts both are shown', () => {
  expect(rows('2 retries', 'none')).toEqual([
    'expected &quot;2 retries&quot;',
    'observed &quot;none&quot;',
  ])
})
