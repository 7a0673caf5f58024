import type { Point, Series } from './dimension.ts'

/**
 * The exponent of size in the cost: the slope of the line through the logarithms with the least
 * squares. A constant part of the cost lowers it.
 */
export function exponentOf(points: readonly Point[]): number {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map(({ cost }) => Math.log(cost))
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const spread = xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
  const together = xs.reduce((sum, each, at) => sum + (each - x) * (ys[at]! - y), 0)
  return together / spread
}

/** Differences of two runs of the same program. */
const noise = 0.05

export type Fitted = {
  readonly exponent: number
  /** The last cost divided by the first. */
  readonly factor: number
  readonly kept: boolean
}

export function fitted({ points, bound }: Pick<Series, 'points' | 'bound'>): Fitted {
  const exponent = exponentOf(points)
  const factor = points.at(-1)!.cost / points[0]!.cost
  const kept = 'factor' in bound ? factor <= bound.factor : exponent <= bound.exponent + noise
  return { exponent, factor, kept }
}
