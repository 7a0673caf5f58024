import { expect, it } from 'vitest'
import { weiOf, weiText } from './wei.ts'

it.each([
  [0, '0 wei (0 ETH)'],
  [1n, '1 wei (0.000000000000000001 ETH)'],
  ['250000000000000000', '250000000000000000 wei (0.25 ETH)'],
  ['0x56bc75e2d63100000', '100000000000000000000 wei (100 ETH)'],
])('the value %s is %s', (value, text) => {
  expect(weiText(weiOf(value)!)).toBe(text)
})

it.each(['', '0x', '1.5', 1e21, -1, null, '1 ETH'])('%j is no amount in wei', (value) => {
  expect(weiOf(value)).toBeUndefined()
})
