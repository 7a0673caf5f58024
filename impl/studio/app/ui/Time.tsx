/** A time: of today as the time, otherwise with its date; whole, with the zone, as a tooltip. */
export function Time({ at }: { readonly at: string | number | Date }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>–</span>
  const today = date.toDateString() === new Date().toDateString()
  return (
    <time dateTime={date.toISOString()} title={date.toString()}>
      {today ? date.toLocaleTimeString() : date.toLocaleString()}
    </time>
  )
}

/** Milliseconds as a short text: `0.42 ms`, `12 ms`, `3.4 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(2)} ms`
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
