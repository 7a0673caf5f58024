import { expect, it } from 'vitest'
import { gasIn } from './gas.ts'

it('finds the figures of a snapshot', () => {
  const found = { 'no oracle': 272_000, 'one oracle': 312_000 }
  expect(
    gasIn({ validateAttestationDirect: { 'no oracle': 272_000, 'one oracle': 312_000 } }),
  ).toEqual(found)
  expect(
    gasIn({
      gas: {
        'validateAttestationDirect, without oracle': 272_000,
        'validateAttestationDirect, 1 oracle': 312_000,
      },
    }),
  ).toEqual(found)
  expect(gasIn({ respondToTask: 1 })).toBeUndefined()
})
