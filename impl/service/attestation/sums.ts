import { checkedPoint2 } from './bls.ts'
import { add1, add2, fromPoint1, fromPoint2, identity1, identity2, toPoint1 } from './curve.ts'
import type { G1Point, G2Point } from './types.ts'

/** A point and its weight in a sum. */
export type Term<Point> = {
  readonly point: Point
  readonly weight: number
}

/** The sum of points, each multiplied by `weight`. @throws for a point off the curve. */
export function sumG1(terms: readonly Term<G1Point>[]): G1Point {
  const points = terms.flatMap(({ point, weight }) => repeat(toPoint1(point), weight))
  return fromPoint1(points.reduce(add1, identity1()))
}

/** The sum of points, each multiplied by `weight`. @throws for a point off the curve. */
export function sumG2(terms: readonly Term<G2Point>[]): G2Point {
  const points = terms.flatMap(({ point, weight }) => repeat(checkedPoint2(point), weight))
  return fromPoint2(points.reduce(add2, identity2()))
}

const repeat = <T>(item: T, times: number): T[] => Array.from({ length: times }, () => item)
