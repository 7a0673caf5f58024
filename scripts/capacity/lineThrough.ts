/** The line with the least squares of distances to the points. */
export function lineThrough(points: readonly (readonly [x: number, y: number])[]) {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  const slope =
    spread === 0
      ? 0
      : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
  return { at0: y - slope * x, slope }
}
