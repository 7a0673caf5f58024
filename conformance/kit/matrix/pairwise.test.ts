import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pairwise } from './pairwise.ts'

const rows = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom('x', 'y'),
  ),
  { selector: (row) => row.join() },
)

const pairsOf = (row: readonly string[]) =>
  row.flatMap((left, i) => row.slice(i + 1).map((right, j) => `${i}${left}${i + 1 + j}${right}`))

describe('a pairwise sample', () => {
  test('contains every two values that occur together', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const sample = pairwise(all, (row) => row)
        expect(new Set(sample.flatMap(pairsOf))).toEqual(new Set(all.flatMap(pairsOf)))
      }),
    )
  })

  test('contains only rows of the whole, each once and in their order', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const sample = pairwise(all, (row) => row)
        expect(sample).toEqual(all.filter((row) => sample.includes(row)))
      }),
    )
  })

  test('has no row without a pair of its own at the time it was taken', () => {
    const all = ['a', 'b', 'c'].flatMap((x) =>
      ['1', '2', '3'].flatMap((y) => ['p', 'q', 'r'].map((z) => [x, y, z] as const)),
    )
    const sample = pairwise(all, (row) => row)
    expect(all).toHaveLength(27)
    // Nine is the least that three values of three dimensions allow.
    expect(sample.length).toBeLessThanOrEqual(12)
  })
})
