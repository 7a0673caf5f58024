const width = 120
const height = 28

/** The latest values as a line, from 0 to the highest of them; `label` says them in words. */
export function Sparkline(props: { readonly values: readonly number[]; readonly label: string }) {
  const { values, label } = props
  const highest = Math.max(...values, 1e-9)
  const step = width / Math.max(1, values.length - 1)
  const points = values
    .map(
      (value, at) =>
        `${(at * step).toFixed(1)},${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`,
    )
    .join(' ')
  return (
    <svg class="operator-spark" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {values.length === 1 ? (
        <circle cx={width / 2} cy={height / 2} r="2" />
      ) : (
        <polyline points={points} fill="none" />
      )}
    </svg>
  )
}
