const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Seconds of `90`, `45s`, `1h 30m` or `2d`; undefined for anything else, and for nothing. */
export function durationSeconds(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase()
  if (/^\d{1,10}$/.test(trimmed)) return Number(trimmed) || undefined
  if (!/^(\d{1,10}\s*[smhdw]\s*)+$/.test(trimmed)) return undefined
  let seconds = 0
  for (const [, count, unit] of trimmed.matchAll(/(\d+)\s*([smhdw])/g))
    seconds += Number(count) * (units[unit ?? ''] ?? 0)
  return seconds || undefined
}
