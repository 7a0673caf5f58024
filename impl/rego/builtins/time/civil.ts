/** A calendar date and time of day in some zone. Months are 1 to 12. */
export type Civil = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
}

export const DAY_SECONDS = 86_400
export const SECOND_NS = 1_000_000_000n

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar. */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The date this many days after 1970-01-01. */
export function dateOf(days: number): Pick<Civil, 'year' | 'month' | 'day'> {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

export const daysIn = (year: number, month: number): number =>
  daysOf(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1) - daysOf(year, month, 1)

/** Seconds since 1970 of a civil time as UTC; fields may be out of range. */
export function secondsOf(civil: Civil): number {
  const months = civil.year * 12 + civil.month - 1
  const year = Math.floor(months / 12)
  const days = daysOf(year, months - year * 12 + 1, 1) + civil.day - 1
  return days * DAY_SECONDS + civil.hour * 3_600 + civil.minute * 60 + civil.second
}

/** The civil time of an instant in a zone `offset` seconds east of UTC. */
export function civilOf(ns: bigint, offset: number): Civil {
  const nanosecond = Number(((ns % SECOND_NS) + SECOND_NS) % SECOND_NS)
  const seconds = Number((ns - BigInt(nanosecond)) / SECOND_NS) + offset
  const days = Math.floor(seconds / DAY_SECONDS)
  const rest = seconds - days * DAY_SECONDS
  return {
    ...dateOf(days),
    hour: Math.floor(rest / 3_600),
    minute: Math.floor((rest % 3_600) / 60),
    second: rest % 60,
    nanosecond,
  }
}

/** 0 for Sunday. */
export const weekdayOf = (civil: Civil): number =>
  (((daysOf(civil.year, civil.month, civil.day) + 4) % 7) + 7) % 7

export const yearDayOf = (civil: Civil): number =>
  daysOf(civil.year, civil.month, civil.day) - daysOf(civil.year, 1, 1) + 1
