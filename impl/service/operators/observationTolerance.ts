/** Maximum relative difference of a number from the settled one (decision T8). */
const tolerance = 0.1
/** Comparison uses doubles: tolerates their rounding. */
const rounding = 1e-9

/**
 * Whether observed data is compatible with settled data: equal JSON except for numbers, and those
 * within a tenth of the settled ones.
 */
export function isSameObservation(own: string, settled: string): boolean {
  if (own === settled) return true
  // Parsers differ in which of duplicate members they use.
  if (membersOf(settled) > membersOf(own)) return false
  try {
    return isNear(JSON.parse(own), JSON.parse(settled))
  } catch {
    return false
  }
}

function isNear(own: unknown, settled: unknown): boolean {
  if (typeof own === 'number' && typeof settled === 'number') {
    // Beyond the range of doubles, differences cannot be computed.
    if (!Number.isFinite(own) || !Number.isFinite(settled)) return false
    return Math.abs(own - settled) <= Math.abs(settled) * (tolerance + rounding)
  }
  if (Array.isArray(own) && Array.isArray(settled)) {
    return own.length === settled.length && own.every((item, at) => isNear(item, settled[at]))
  }
  if (isObject(own) && isObject(settled)) {
    const names = Object.keys(own)
    return (
      names.length === Object.keys(settled).length &&
      names.every((name) => Object.hasOwn(settled, name) && isNear(own[name], settled[name]))
    )
  }
  return own === settled
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Number of members in all objects of a JSON text, including duplicates. */
function membersOf(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g))
    if (colon !== undefined) count++
  return count
}
