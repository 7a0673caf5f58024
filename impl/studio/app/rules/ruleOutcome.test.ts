import { expect, it } from 'vitest'
import { lineOutcomes, ruleOutcome } from './ruleOutcome.ts'

const failure = { row: 3 }

it('a definition held, did not hold, or was not reached', () => {
  expect(ruleOutcome({ held: true, failures: [failure] })).toBe('held')
  expect(ruleOutcome({ held: false, failures: [failure] })).toBe('did not hold')
  expect(ruleOutcome({ held: false, failures: [] })).toBe('not reached')
})

it('a line has the outcome of what begins on it, otherwise that of its coverage', () => {
  const definitions = [
    { row: 2, held: false, failures: [failure] },
    { row: 5, held: true, failures: [] },
    { row: 7, held: false, failures: [] },
  ]
  const outcomes = lineOutcomes({ definitions, covered: [3, 5, 9], notCovered: [2, 7] })
  expect(Object.fromEntries(outcomes)).toEqual({
    ...{ 2: 'did not hold', 3: 'did not hold', 5: 'held', 7: 'not reached', 9: 'reached' },
  })
})
