import { isArray, isSet, type Value } from '../../values/value.ts'
import type { Builtin, BuiltinContext } from '../builtin.ts'
import { fatal, fatalConstant, fatalType, text } from '../extensionErrors.ts'
import { ANY, arrayOf, BOOLEAN, NUMBER, STRING, setOf, union } from '../types.ts'
import { ageOn, type CalendarDate, compareDates, dateIn, today } from './calendarDate.ts'

/** A member of the identity data, undefined if it or all of the data is missing. */
const member = (ctx: BuiltinContext, field: string): Value | undefined =>
  ctx.privateData?.identity?.get(field)

function dateOf(field: string, value: Value): CalendarDate {
  const date = typeof value === 'string' ? dateIn(value) : undefined
  if (date === undefined) throw fatalConstant(`${field} of the identity is not a date (YYYY-MM-DD)`)
  return date
}

/** ISO 3166-1 alpha-2, in either case. */
const COUNTRY = /^[A-Za-z]{2}$/

function countriesIn(value: Value): ReadonlySet<string> {
  if (!isArray(value) && !isSet(value)) throw fatalType(1, value, 'set', 'array')
  const codes = new Set<string>()
  for (const code of isArray(value) ? value : value.values()) {
    if (typeof code !== 'string' || !COUNTRY.test(code)) {
      throw fatal('operand 1 must contain country codes of two letters only')
    }
    codes.add(code.toUpperCase())
  }
  return codes
}

function yearsIn(years: Value): number {
  if (typeof years === 'number' && Number.isInteger(years) && years >= 0) return years
  throw fatal('operand 1 must be a whole number of years')
}

/**
 * Reads of the identity that the user of the intent has linked. A field that is missing makes the call
 * undefined; one that is malformed ends the evaluation, in both modes. Dates are those of UTC.
 */
export const identityExtensions = (prefix: string): readonly Builtin[] =>
  [
    {
      name: 'get',
      args: [STRING],
      result: ANY,
      call: (ctx: BuiltinContext, field: Value) => member(ctx, text(field, 1)),
    },
    {
      name: 'check_approved',
      args: [],
      result: BOOLEAN,
      call: (ctx: BuiltinContext) => {
        const status = member(ctx, 'status')
        if (status === undefined) return undefined
        if (typeof status !== 'string')
          throw fatalConstant('status of the identity is not a string')
        return status === 'approved'
      },
    },
    {
      name: 'address_in_countries',
      args: [union(arrayOf(STRING), setOf(STRING))],
      result: BOOLEAN,
      call: (ctx: BuiltinContext, given: Value) => {
        const countries = countriesIn(given)
        ctx.meter.charge(countries.size)
        const code = member(ctx, 'address_country_code')
        if (code === undefined) return undefined
        if (typeof code !== 'string' || !COUNTRY.test(code)) {
          throw fatalConstant('address_country_code of the identity is not a code of two letters')
        }
        return countries.has(code.toUpperCase())
      },
    },
    {
      name: 'age_gte',
      args: [NUMBER],
      result: BOOLEAN,
      call: (ctx: BuiltinContext, given: Value) => {
        const years = yearsIn(given)
        const birthdate = member(ctx, 'birthdate')
        if (birthdate === undefined) return undefined
        const born = dateOf('birthdate', birthdate)
        const now = today(ctx.nowNs)
        if (compareDates(born, now) > 0) {
          throw fatalConstant('birthdate of the identity is in the future')
        }
        return ageOn(born, now) >= years
      },
    },
    {
      name: 'not_expired',
      args: [],
      result: BOOLEAN,
      call: (ctx: BuiltinContext) => {
        const expiration = member(ctx, 'expiration_date')
        if (expiration === undefined) return undefined
        return compareDates(today(ctx.nowNs), dateOf('expiration_date', expiration)) <= 0
      },
    },
  ].map(
    (each): Builtin => ({
      ...each,
      name: `${prefix}.identity.${each.name}`,
      nondeterministic: true,
      reads: { kind: 'identity' },
    }),
  )
