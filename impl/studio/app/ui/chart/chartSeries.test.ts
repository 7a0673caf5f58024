import { expect, it } from 'vitest'
import { type ChartSeries, drawnSeries, wholeSteps, xRange } from './chartSeries.ts'

const series = (title: string, values: (number | null)[]): ChartSeries => ({
  ...{ title, values, tone: 'good', draw: 'bars' },
  text: String,
})

it('stacked bars reach up to the sum of those below, the highest drawn first; there is none for zero', () => {
  const given = [series('a', [1, null, 3]), series('b', [1, 2, 0]), series('c', [0, 1, 1])]
  const data = { x: [1, 2, 3], xKind: 'number', xTitle: '', xText: String, series: given } as const
  const heights = (stacked: boolean) =>
    drawnSeries({ ...data, stacked }).map((each) => [each.series.title, each.heights])
  expect(heights(true)).toEqual([
    ['c', [null, 3, 4]],
    ['b', [2, 2, null]],
    ['a', [1, null, 3]],
  ])
  expect(heights(false)).toEqual([
    ['a', [1, null, 3]],
    ['b', [1, 2, null]],
    ['c', [null, 1, 1]],
  ])
})

it('steps of axes are whole numbers, and lines go through zero', () => {
  expect(wholeSteps.slice(0, 5)).toEqual([1, 2, 5, 10, 20])
  expect(wholeSteps.every(Number.isSafeInteger)).toBe(true)
  const line = { ...series('a', [0, 2]), draw: 'line' as const }
  const data = { x: [1, 2], xKind: 'number', xTitle: '', xText: String, series: [line] } as const
  expect(drawnSeries(data)[0]!.heights).toEqual([0, 2])
})

it('the x axis has room for whole bars, and for a single place', () => {
  const bars = [series('a', [])]
  const lines = [{ ...series('a', []), draw: 'line' as const }]
  expect(xRange({ x: [10, 12, 16], series: bars })).toEqual([8.8, 17.2])
  expect(xRange({ x: [10, 12], series: lines })).toEqual([10, 12])
  expect(xRange({ x: [5, 5], series: lines })).toEqual([4.4, 5.6])
  expect(xRange({ x: [], series: lines })).toEqual([-0.6, 0.6])
})
