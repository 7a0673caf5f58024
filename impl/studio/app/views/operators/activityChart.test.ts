import type { OperatorActivity } from 'polgate-protocol/control/operators.ts'
import { expect, it } from 'vitest'
import { activityChart } from './activityChart.ts'

it('latency where it signed, and agreement of the latest ten tasks that it took part in', () => {
  const outcomes = ['missed', 'agreed', 'differed', 'missed', ...Array(9).fill('agreed')] as const
  const recent = outcomes.map((outcome, at): OperatorActivity['recent'][number] => ({
    ...{ at, outcome },
    ms: outcome === 'missed' ? null : at * 2,
  }))
  const { x, series } = activityChart(recent)
  expect(x).toEqual(recent.map(({ at }) => at))
  expect(series[0]!.values.slice(0, 5)).toEqual([null, 2, 4, null, 8])
  const agreement = series[1]!.values
  expect(agreement.slice(0, 4)).toEqual([null, 100, 50, 50])
  // The tenth before is not counted any more.
  expect(agreement.at(-2)).toBeCloseTo(100 * (8 / 9))
  expect(agreement.at(-1)).toBe(100)
  expect(activityChart([]).x).toEqual([])
})
