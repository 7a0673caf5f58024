import { BuiltinError } from '../../errors.ts'
import { type BuiltinContext, cached } from '../builtin.ts'
import { knownAbbreviation, WITHOUT_ABBREVIATION } from './abbreviations.ts'
import { SECOND_NS, secondsOf } from './civil.ts'

/** A time zone: its offset east of UTC and its abbreviation at an instant. */
export type Zone = {
  readonly name: string
  offsetAt(seconds: number): number
  abbreviationAt(seconds: number): string
}

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0, abbreviationAt: () => 'UTC' }

const FIELDS = {
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** Locales whose English has abbreviations for nearby zones, in the order of lookup. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA']

function named(name: string): Zone {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: name })
  } catch (error) {
    throw new BuiltinError(`unknown time zone ${name}`, undefined, { cause: error })
  }
  const offsetAt = (seconds: number): number => {
    const parts = format.formatToParts(seconds * 1_000)
    const at = Object.fromEntries(parts.map((part) => [part.type, part.value]))
    const local = secondsOf({
      year: at.era === 'BC' ? 1 - Number(at.year) : Number(at.year),
      month: Number(at.month),
      day: Number(at.day),
      hour: Number(at.hour),
      minute: Number(at.minute),
      second: Number(at.second),
      nanosecond: 0,
    })
    return local - seconds
  }
  return {
    name,
    offsetAt,
    abbreviationAt: (seconds) => abbreviation(name, seconds, offsetAt(seconds)),
  }
}

/** The abbreviation of the zone, or its offset if English has none, as in Go. */
function abbreviation(timeZone: string, seconds: number, offset: number): string {
  const known = knownAbbreviation(timeZone, offset)
  if (known !== undefined) return known
  for (const locale of WITHOUT_ABBREVIATION.has(timeZone) ? [] : ENGLISH) {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
    const parts = format.formatToParts(seconds * 1_000)
    const short = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
    if (/^[A-Z]{2,5}$/.test(short)) return short
  }
  const minutes = Math.floor(Math.abs(offset) / 60)
  const two = (part: number): string => String(part).padStart(2, '0')
  const rest = minutes % 60 === 0 ? '' : two(minutes % 60)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${rest}`
}

/**
 * A zone of the time zone database by name. `Local` is UTC.
 *
 * @throws BuiltinError for an unknown name
 */
export function zoneOf(ctx: BuiltinContext, name: string): Zone {
  if (name === '' || name === 'UTC' || name === 'Local') return UTC
  return cached(ctx, 'zone', name, () => {
    ctx.meter.charge(1_000)
    // Names have capitals; browsers read others, too.
    if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name))
      throw new BuiltinError(`unknown time zone ${name}`)
    return named(name)
  })
}

/** The instant of a civil time in the zone, given as if it were UTC. */
export function momentOf(local: number, nanosecond: number, zone: Zone): bigint {
  const guess = zone.offsetAt(local)
  const offset = zone.offsetAt(local - guess)
  return BigInt(local - offset) * SECOND_NS + BigInt(nanosecond)
}
