import { expect, it } from 'vitest'
import { durationSeconds } from './durationSeconds.ts'

it.each([
  ['90', 90],
  ['45s', 45],
  ['1h 30m', 5_400],
  [' 2D ', 172_800],
  ['1w1s', 604_801],
  ['0', undefined],
  ['0h', undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5h', undefined],
  ['1 year', undefined],
  ['1h x', undefined],
  ['9'.repeat(11), undefined],
])('%j', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds)
})
