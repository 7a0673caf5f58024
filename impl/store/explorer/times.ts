/** The last moment that a date can hold; a chain's clock is not ours to trust. */
const lastMoment = 8.64e15

const iso = (milliseconds: number): string =>
  new Date(Math.min(milliseconds, lastMoment)).toISOString()

/** ISO 8601, UTC, of unix seconds. */
export const isoOfSeconds = (seconds: number): string => iso(seconds * 1000)
export const isoOfSecondsOrNull = (seconds: number | null): string | null =>
  seconds === null ? null : isoOfSeconds(seconds)
export const isoOfMilliseconds = iso
