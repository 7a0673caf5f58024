import { expect, it } from 'vitest'
import { outcomesOverTime } from './taskOutcomes.ts'

type Row = Parameters<typeof outcomesOverTime>[0][number]
const row = (
  ms: number,
  status: Row['status'] = 'success',
  decision: Row['decision'] = 'allow',
) => ({
  ...{ createdAt: new Date(ms).toISOString(), status, decision },
})

it('counts every outcome where its task began', () => {
  const { tasks, step, stretches } = outcomesOverTime([
    row(10_000),
    row(10_400, 'success', 'deny'),
    row(10_900, 'failed', null),
    row(12_999, 'timeout', null),
    row(12_000, 'processing', null),
    row(12_500, 'success', null),
    { ...row(0), createdAt: null },
  ])
  expect([tasks, step]).toEqual([6, 1_000])
  expect(stretches).toEqual([
    { at: 10_000, allowed: 1, denied: 1, failed: 1, open: 0 },
    { at: 11_000, allowed: 0, denied: 0, failed: 0, open: 0 },
    { at: 12_000, allowed: 0, denied: 0, failed: 1, open: 2 },
  ])
  expect(outcomesOverTime([])).toEqual({ tasks: 0, step: 0, stretches: [] })
})

it.each([0, 39_999, 40_000, 86_400_000, 40 * 365 * 86_400_000, 8e14])(
  'has at most 40 round stretches over %d ms, and loses no task',
  (span) => {
    const { step, stretches } = outcomesOverTime([
      row(7),
      row(7 + Math.floor(span / 3)),
      row(7 + span),
    ])
    expect(stretches.length).toBeLessThanOrEqual(40)
    expect(step % 1_000).toBe(0)
    expect(stretches.reduce((sum, { allowed }) => sum + allowed, 0)).toBe(3)
    expect(stretches.every(({ at }, i) => i === 0 || at - stretches[i - 1]!.at === step)).toBe(true)
  },
)
