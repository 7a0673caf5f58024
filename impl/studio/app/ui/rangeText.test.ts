import { expect, it } from 'vitest'
import { rangeText } from './rangeText.ts'

it.each([
  [230, 1_150, '0.2–1.2 s'],
  [-300, 700, '0.0–0.7 s'],
  [12_340, 13_340, '12–14 s'],
  [125_000, 126_000, '2–3 min'],
  [7_300_000, 7_301_000, '2–3 h'],
])('a moment between %d and %d ms is at %s', (from, to, text) => {
  expect(rangeText(from, to)).toBe(text)
})
