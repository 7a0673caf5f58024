/** The last moment that a `Date` can represent; timestamps of a chain are not trusted. */
const lastMoment = 8.64e15

/** ISO 8601, UTC, of unix milliseconds. */
export const isoOfMilliseconds = (milliseconds: number): string =>
  new Date(Math.min(milliseconds, lastMoment)).toISOString()

export const isoOfMillisecondsOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoOfMilliseconds(milliseconds)

/**
 * Cached: rows of a page share blocks, and formatting a time takes as long as the rest of a row.
 */
const cache = new Map<number, string>()
const maxCached = 4096

/** ISO 8601, UTC, of unix seconds. */
export function isoOfSeconds(seconds: number): string {
  const known = cache.get(seconds)
  if (known !== undefined) return known
  if (cache.size >= maxCached) cache.clear()
  const text = isoOfMilliseconds(seconds * 1000)
  cache.set(seconds, text)
  return text
}

export const isoOfSecondsOrNull = (seconds: number | null): string | null =>
  seconds === null ? null : isoOfSeconds(seconds)
