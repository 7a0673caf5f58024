import fc from 'fast-check'
import { expect, test } from 'vitest'
import { character } from './character.ts'

const sizeOf = (text: string) => [...text].length

test('each code point but the surrogates has a place of its own, and no other text has one', () => {
  const all = [0, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff].map((at) => String.fromCodePoint(at))
  for (const each of all) expect(character.canShrinkWithoutContext(each)).toBe(true)
  for (const none of ['', 'ab', '\ud800', '\udfff', 1, undefined])
    expect(character.canShrinkWithoutContext(none)).toBe(false)
})

test('strings of it have every kind of character, and no half of one', () => {
  const texts = fc.sample(fc.string({ unit: character, minLength: 1 }), { numRuns: 200, seed: 1 })
  const joined = texts.join('')
  expect(joined).toMatch(/[\u{10000}-\u{10ffff}]/u)
  expect(joined).toMatch(/[\ue000-\uffff]/)
  expect(Buffer.from(joined).toString()).toBe(joined)
  expect(sizeOf(joined)).toBe(texts.reduce((sum, text) => sum + sizeOf(text), 0))
})
