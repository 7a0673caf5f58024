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

const named = (name: string): Zone => {
  const options = {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZoneName: 'short',
  } as const
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', options)
  } catch (error) {
    throw new BuiltinError(`unknown time zone ${name}`, undefined, { cause: error })
  }
  const fields = (seconds: number): Record<string, string> =>
    Object.fromEntries(format.formatToParts(seconds * 1_000).map((part) => [part.type, part.value]))
  return {
    name,
    offsetAt: (seconds) => {
      const at = fields(seconds)
      const year = at.era === 'BC' ? 1 - Number(at.year) : Number(at.year)
      const local = secondsOf({
        year,
        month: Number(at.month),
        day: Number(at.day),
        hour: Number(at.hour),
        minute: Number(at.minute),
        second: Number(at.second),
        nanosecond: 0,
      })
      return local - seconds
    },
    abbreviationAt: (seconds) => {
      const short = fields(seconds).timeZoneName ?? ''
      // what has no abbreviation in English is named by its offset, as Go does
      const [, sign, hours = '', minutes = ''] = /^GMT([+-])(\d+)(?::(\d+))?$/.exec(short) ?? []
      if (sign === undefined) return short
      return `${sign}${hours.padStart(2, '0')}${minutes}`
    },
  }
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
