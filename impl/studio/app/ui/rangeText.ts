const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [0, 's'],
] as const

/** A moment between two, milliseconds: `0.2–1.2 s`, `12–13 s`, `2–3 min`. */
export function rangeText(from: number, to: number): string {
  const [, unit] = units.find(([least]) => from >= least) ?? units[2]
  const length = { h: 3_600_000, min: 60_000, s: 1_000 }[unit]
  const digits = from < 10_000 ? 1 : 0
  const [low, high] = [Math.max(0, from), to].map((each) => each / length)
  // Rounded outwards: it is between them.
  const scale = 10 ** digits
  return `${(Math.floor(low! * scale) / scale).toFixed(digits)}–${(Math.ceil(high! * scale) / scale).toFixed(digits)} ${unit}`
}
