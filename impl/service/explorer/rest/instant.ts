/** A time in a query: whole milliseconds, and whether a finer fraction was truncated. */
export type Instant = { readonly ms: number; readonly cut: boolean }

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/

/** The range of years 1 to 9999; no block is outside it. */
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Parses ISO 8601: a date, or a date and a time with or without seconds, a fraction and an offset.
 * Without an offset it is UTC; a date alone is its first instant.
 *
 * @returns for an invalid time the reason, as a part of a sentence
 */
export function parseInstant(text: string): Instant | string {
  const match = pattern.exec(text)
  if (match === null)
    return 'ISO 8601 is expected, such as 2026-01-31T12:00:00Z (+ is %2B in a query)'
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match
  const [, , , , , , , , , sign, offsetHour = '0', offsetMinute = '0'] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return 'there is no such day'
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return 'there is no such time of day'
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return 'there is no such offset'
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const ms = date.getTime() + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset * 60_000
  return {
    ms: Math.min(Math.max(ms, earliest), latest),
    cut: /[1-9]/.test(fraction.slice(3)),
  }
}

/** The first whole millisecond at or after the instant. */
export const fromInstant = ({ ms, cut }: Instant): Date => new Date(cut ? ms + 1 : ms)

/** The last whole millisecond at or before the instant. */
export const untilInstant = ({ ms }: Instant): Date => new Date(ms)
