/** Names of colours of `tokens.css`. */
export type ChartTone = 'accent' | 'good' | 'bad' | 'warn' | 'muted'

export type ChartSeries = {
  readonly title: string
  /** One for each place of the x axis; null where there is none. */
  readonly values: readonly (number | null)[]
  readonly tone: ChartTone
  readonly draw: 'line' | 'bars'
  /** A value in words, with its unit. */
  readonly text: (value: number) => string
  /** The same beside the axis, where there is little room. */
  readonly axisText?: (value: number) => string
  /** Series of another unit have their axis on the right. */
  readonly axis?: 'right'
  /** The greatest value of the axis; by default that of the values. */
  readonly most?: number
}

export type ChartData = {
  /** Ascending: unix milliseconds, or whole numbers. */
  readonly x: readonly number[]
  readonly xKind: 'time' | 'number'
  readonly xTitle: string
  /** A place of the x axis in words. */
  readonly xText: (x: number) => string
  readonly series: readonly ChartSeries[]
  /** Bars of all series stand on each other. */
  readonly stacked?: boolean
}

/**
 * What is drawn: where bars are stacked, each series has the sum of itself and of those before it. A bar covers the
 * lower part of those that were drawn before, so the highest comes first.
 */
export function drawnSeries({ series, stacked = false }: ChartData): readonly {
  readonly series: ChartSeries
  readonly heights: readonly (number | null)[]
}[] {
  if (!stacked)
    return series.map((each) => ({
      series: each,
      heights: each.values.map((value) => barOf(each, value)),
    }))
  const sums: number[] = []
  return series
    .map((each) => ({
      series: each,
      heights: each.values.map((value, at) => {
        sums[at] = (sums[at] ?? 0) + (value ?? 0)
        return barOf(each, value) === null ? null : sums[at]
      }),
    }))
    .toReversed()
}

/** A bar of no height would still be drawn as a line. */
const barOf = ({ draw }: ChartSeries, value: number | null): number | null =>
  draw === 'bars' && value === 0 ? null : value

/** Steps of an axis: whole numbers alone. */
export const wholeSteps: readonly number[] = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((each) => each * 10 ** power),
).flat()

/** Steps of an axis of time, milliseconds: whole seconds, minutes, hours and days. */
export const timeSteps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * 60_000),
  ...[1, 2, 6, 12].map((n) => n * 3_600_000),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * 86_400_000),
]

/** Least and greatest value of the x axis: a single place is not at an edge, and no bar is cut in half. */
export function xRange({ x, series }: Pick<ChartData, 'x' | 'series'>): readonly [number, number] {
  const [first = 0] = x
  const last = x.at(-1) ?? first
  const steps = x.slice(1).map((each, at) => each - (x[at] ?? each))
  const step = Math.min(...steps.filter((each) => each > 0), Number.POSITIVE_INFINITY)
  const margin = Number.isFinite(step) ? step : 1
  const around = first === last || series.some(({ draw }) => draw === 'bars') ? margin * 0.6 : 0
  return [first - around, last + around]
}
