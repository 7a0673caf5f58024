import { civilOf, daysIn } from '../time/civil.ts'

/** A day of the Gregorian calendar. Months are 1 to 12. */
export type CalendarDate = { readonly year: number; readonly month: number; readonly day: number }

/** `YYYY-MM-DD` of a day that exists, years 0001 to 9999; undefined for any other text. */
export function dateIn(text: string): CalendarDate | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (parts === null) return undefined
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  return { year, month, day }
}

/** The day of an instant in UTC. @param ns nanoseconds since 1970 */
export function today(ns: bigint): CalendarDate {
  const { year, month, day } = civilOf(ns, 0)
  return { year, month, day }
}

/** Negative if `a` is before `b`, positive if it is after it. */
export const compareDates = (a: CalendarDate, b: CalendarDate): number =>
  a.year - b.year || a.month - b.month || a.day - b.day

/**
 * Birthdays from `born` to a later day. The birthday of someone born on 29 February is 1 March in other
 * years: an age is never reached too early.
 */
export function ageOn(born: CalendarDate, day: CalendarDate): number {
  const years = day.year - born.year
  return compareDates({ ...born, year: day.year }, day) > 0 ? years - 1 : years
}
