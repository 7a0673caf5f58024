import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pairwise, rowsOf } from './rows.ts'
import { composedParts, type Variant } from './variant.ts'

function randomOf(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('pairwise sets', () => {
  test('have every two variants together, apart, and both left out', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 9 }),
        fc.integer(),
        fc.boolean(),
        (count, seed, isKept) => {
          const ids = Array.from({ length: count }, (_, at) => `v${at}`)
          const kept = pairwise(ids.slice(0, -1), randomOf(seed + 1))
          const rows = pairwise(ids, randomOf(seed), isKept ? kept : [])
          if (isKept) expect(rows.slice(0, kept.length)).toEqual(kept)
          for (const a of ids)
            for (const b of ids.filter((id) => id > a))
              for (const [withA, withB] of [
                [true, true],
                [true, false],
                [false, true],
              ])
                expect(
                  rows.some((row) => row.includes(a) === withA && row.includes(b) === withB),
                ).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('are few more where variants are added', () => {
    const ids = Array.from({ length: 60 }, (_, at) => `v${at}`)
    const kept = pairwise(ids.slice(3), randomOf(7))
    const added = pairwise(ids, randomOf(8), kept).length - kept.length
    expect(added).toBeGreaterThan(1)
    expect(added).toBeLessThan(8)
  })

  test('are far fewer than the pairs', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `v${at}`)
    expect(pairwise(ids, randomOf(7)).length).toBeLessThan(25)
  })
})

describe('the sets of a run', () => {
  const variants: readonly Variant[] = [
    { id: 'a', choice: 'a' },
    { id: 'b', choice: 'b' },
    { id: 'c', choice: 'c' },
    { id: 'slow', choice: 'slow', slow: true },
  ]
  const none = { singly: false, pairwise: false, all: false }

  test('are one of all quick variants, and one of each, the slow ones first', () => {
    const random = randomOf(1)
    expect(rowsOf(variants, { ...none, all: true }, random)).toEqual([['a', 'b', 'c']])
    expect(rowsOf(variants, { ...none, singly: true }, random)).toEqual([
      ['slow'],
      ['a'],
      ['b'],
      ['c'],
    ])
  })

  test('never combine a slow variant with another', () => {
    const rows = rowsOf(variants, { singly: true, pairwise: true, all: true }, randomOf(2))
    expect(rows.filter((row) => row.includes('slow'))).toEqual([['slow']])
  })
})

describe('parts of several variants', () => {
  const wrapping = (mark: string) => ({
    wrapGatewayFetch: (inner: (request: Request) => Response | Promise<Response>) => {
      const wrapped = async (request: Request) =>
        new Response(`${mark}${await (await inner(request)).text()}`)
      return wrapped
    },
  })

  test('wrap each other, the later ones outside', async () => {
    const { wrapGatewayFetch } = composedParts([wrapping('first '), wrapping('second ')])
    const fetch = wrapGatewayFetch!((() => new Response('answer')) as never)
    const answer = await fetch(new Request('http://gateway.example'))
    expect(await answer.text()).toBe('second first answer')
  })
})
