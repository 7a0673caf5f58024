import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readable, readablePair, withShortWords } from './shorten.ts'

test.each([
  [`0x${'ab'.repeat(500)}`, '0xababababababababab…(500 bytes)…abababababab'],
  [`id ${'cd'.repeat(60)}, then`, 'id cdcdcdcdcdcdcdcdcdcd…(60 bytes)…cdcdcdcdcdcd, then'],
  [
    `{"key":"${'Zm9v'.repeat(40)}"}`,
    '{"key":"Zm9vZm9vZm9vZm9vZm9v…(160 characters)…Zm9vZm9vZm9v"}',
  ],
  [`0x${'5e'.repeat(32)}`, `0x${'5e'.repeat(32)}`],
  ['a short text', 'a short text'],
])('long words have their ends and their length', (text, short) => {
  expect(withShortWords(text)).toBe(short)
})

test('a long text has its start, its end and its length', () => {
  const text = `start ${'one two '.repeat(1_000)}end`
  const short = readable(text, 200)
  expect(short.length).toBeLessThanOrEqual(200)
  expect(short).toMatch(/^start one .*…\(8009 characters\)….* two end$/)
})

test('a text of any length is shortened in little time', () => {
  for (const unit of ['a', '1', '{', ' ', 'ab ', '0x']) {
    const text = unit.repeat(16_000_000 / unit.length)
    expect(readable(text, 400).length).toBeLessThanOrEqual(400)
  }
})

test('two texts that differ stay different', () => {
  const text = fc.string({ maxLength: 3_000, unit: fc.constantFrom('ab', '0x', ' ', '{', '1') })
  fc.assert(
    fc.property(text, text, fc.nat(), (a, b, at) => {
      const place = at % (a.length + 1)
      for (const other of [b, `${a.slice(0, place)}#${a.slice(place)}`]) {
        fc.pre(a !== other)
        const [first, second] = readablePair(a, other, 300)
        expect(first).not.toBe(second)
        expect(first.length).toBeLessThan(400)
      }
    }),
    { numRuns: 300 },
  )
})
