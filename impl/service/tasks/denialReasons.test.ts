import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { describe, expect, it } from 'vitest'
import { denialReasons } from './denialReasons.ts'

const of = (wasm: unknown, more: { result?: string; reasons?: string[] } = {}) =>
  denialReasons({ result: 'false', reasons: [], wasm: JSON.stringify(wasm), ...more })

describe('denial reasons (decision T16)', () => {
  it('are the deny strings, then the oracle errors by name', () => {
    const wasm = { b: { error: 'HTTP 503' }, a: { error: 'no answer' }, c: { price: 1 } }
    expect(of(wasm, { reasons: ['no price', 'stale'] })).toEqual([
      'no price',
      'stale',
      'oracle a: no answer',
      'oracle b: HTTP 503',
    ])
  })

  it.each(['false', '"CAP"', 'null', '{}', '1', '"false"'])(
    'are reported for the result %s',
    (result) => {
      expect(of({ feed: { error: 'down' } }, { result })).toEqual(['oracle feed: down'])
    },
  )

  it.each(['true', '"true"'])('name no oracle for the result %s', (result) => {
    expect(of({ feed: { error: 'down' } }, { result })).toEqual([])
  })

  it('do not repeat a deny string of the policy', () => {
    const reasons = ['price feed failed: down']
    expect(of({ feed: { error: 'down' } }, { reasons })).toEqual(reasons)
  })

  it.each([
    { feed: { error: 7 } },
    { feed: { error: '' } },
    { feed: { error: { text: 'down' } } },
    { feed: 'error' },
    { feed: null },
    { feed: ['error'] },
    { error: 'outside of a pack' },
    {},
  ])('are empty if no oracle reports an error: %j', (wasm) => {
    expect(of(wasm)).toEqual([])
  })

  it('contain no URL credentials and no line breaks', () => {
    const error = 'GET https://user:pass@api.example.com/v2/KEY?token=SECRET\nfailed'
    expect(of({ feed: { error } })).toEqual(['oracle feed: GET https://api.example.com failed'])
  })

  it('are bounded', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ maxLength: 200 }),
          fc.record({ error: fc.string({ unit: character, maxLength: 2_000 }) }),
          { maxKeys: 40 },
        ),
        (wasm) => {
          const reasons = of(wasm)
          expect(reasons.length).toBeLessThanOrEqual(16)
          for (const reason of reasons) expect(reason.length).toBeLessThanOrEqual(300)
          expect(reasons.join('')).not.toMatch(/[\r\n]/)
        },
      ),
      { numRuns: 50 },
    )
  })
})
