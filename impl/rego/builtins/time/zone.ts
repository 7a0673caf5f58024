import { BuiltinError } from '../../errors.ts'
import { type BuiltinContext, cached } from '../builtin.ts'
import { SECOND_NS, secondsOf } from './civil.ts'

/** A time zone: how far it is east of UTC at a moment, and what it calls itself then. */
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

/** Whose English has abbreviations for the zones around them: asked in this order. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA']

const named = (name: string): Zone => {
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

/** What the zone is called, or its offset where English has no name for it, as Go does. */
const abbreviation = (timeZone: string, seconds: number, offset: number): string => {
  for (const locale of ENGLISH) {
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
 * A zone of the time zone database by name. `Local` is UTC: a service has no place of its own.
 * @throws BuiltinError for a name that is not known
 */
export const zoneOf = (ctx: BuiltinContext, name: string): Zone => {
  if (name === '' || name === 'UTC' || name === 'Local') return UTC
  return cached(ctx, 'zone', name, () => {
    ctx.meter.charge(1_000)
    if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name))
      throw new BuiltinError(`unknown time zone ${name}`)
    return named(name)
  })
}

/** The moment at which clocks in the zone show a civil time, given as if it were UTC. */
export const momentOf = (local: number, nanosecond: number, zone: Zone): bigint => {
  const guess = zone.offsetAt(local)
  const offset = zone.offsetAt(local - guess)
  return BigInt(local - offset) * SECOND_NS + BigInt(nanosecond)
}
