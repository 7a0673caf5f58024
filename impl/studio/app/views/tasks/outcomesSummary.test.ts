import { expect, it } from 'vitest'
import { outcomesSummary } from './outcomesSummary.ts'

const none = { at: 0, allowed: 0, denied: 0, failed: 0, open: 0 }

it.each([
  [1_000, '1 s'],
  [90_000, '90 s'],
  [120_000, '2 min'],
  [43_200_000, '12 h'],
  [604_800_000, '7 d'],
])('says how many tasks ended how, with bars of %d ms as %s', (step, text) => {
  const stretches = [{ ...none, allowed: 2, denied: 1 }, none, { ...none, allowed: 1, failed: 1 }]
  expect(outcomesSummary({ tasks: 5, step, stretches })).toBe(
    `The latest 5 tasks by when they began, ${text} a bar: 3 allowed, 1 denied, 1 failed, 0 not decided.`,
  )
})
