/** A number this far from the settled one, in parts of it, is another observation (decision T8). */
const tolerance = 0.1
/** Doubles stand for the digits here: no honest number is refused for a rounding. */
const rounding = 1e-9

/**
 * Whether what an operator saw can be what was settled: JSON texts equal but for numbers, and those
 * within a tenth of the settled ones.
 */
export function isSameObservation(own: string, settled: string): boolean {
  if (own === settled) return true
  // A member told twice is one thing to who reads the first and another to who reads the last.
  if (membersOf(settled) > membersOf(own)) return false
  try {
    return isNear(JSON.parse(own), JSON.parse(settled))
  } catch {
    return false
  }
}

function isNear(own: unknown, settled: unknown): boolean {
  if (typeof own === 'number' && typeof settled === 'number') {
    // Past the range of doubles nothing can be told of how far apart they are.
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

/** How many members all objects of a JSON text have, those told twice counted twice. */
function membersOf(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g))
    if (colon !== undefined) count++
  return count
}
