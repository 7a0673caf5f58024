import { expect, it } from 'vitest'
import { gasDifferences, measureGas, profileSpending, readGasSnapshot } from './testing/gas.ts'

it('what calls of the contracts cost is in the snapshot', async () => {
  const differences = gasDifferences(readGasSnapshot(), await measureGas())
  expect(differences, 'npm run chain:gas -- --write updates chain/gas.snapshot.json').toEqual([])
})

it('a difference of more than 1 % is reported, and a figure that is missing', () => {
  const snapshot = { same: 100_000, near: 100_000, above: 100_000, below: 100_000, gone: 1 }
  const measured = { same: 100_000, near: 101_000, above: 101_001, below: 98_999, new: 1 }
  expect(gasDifferences(snapshot, measured)).toEqual([
    'above: 100000 in the snapshot, 101001 now',
    'below: 100000 in the snapshot, 98999 now',
    'gone: 1 in the snapshot, absent now',
    'new: absent in the snapshot, 1 now',
  ])
})

it('the parts of what spending costs are all of it', async () => {
  const snapshot = readGasSnapshot()
  for (const [oracles, parts] of Object.entries(await profileSpending())) {
    const gasOf = (name: string) => parts.find(({ part }) => part === name)?.gas
    const whole = parts.reduce((sum, { gas }) => sum + gas, 0)
    expect(Math.abs(whole / snapshot[`validateAttestationDirect, ${oracles}`]! - 1)).toBeLessThan(
      0.01,
    )
    expect(gasOf('pairing check')).toBeGreaterThanOrEqual(113_000)
    // Refunds alone would be negative: nothing is left unexplained.
    expect(gasOf('other, less refunds')).toBeLessThanOrEqual(0)
  }
})
