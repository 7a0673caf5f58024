import { BuiltinError } from '../errors.ts'
import { fromBigInt } from '../values/number.ts'
import { isArray, isNumber, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asInt, asNumber, asString, wrongType } from './operands.ts'
import { type Civil, civilOf, daysIn, SECOND_NS, secondsOf, weekdayOf } from './time/civil.ts'
import { parseDuration } from './time/duration.ts'
import { formatTime } from './time/format.ts'
import { layoutOf, RFC3339, RFC3339_NANO, WEEKDAYS } from './time/layout.ts'
import { parseTime } from './time/parse.ts'
import { momentOf, UTC, type Zone, zoneOf } from './time/zone.ts'
import { NUMBER, STRING, tuple, union } from './types.ts'

type Moment = { readonly ns: bigint; readonly zone: Zone; readonly layout: string }

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/** `ns`, `[ns, zone]` or `[ns, zone, layout]`. */
function momentIn(ctx: BuiltinContext, value: Value, position: number): Moment {
  ctx.meter.charge(8)
  const parts = isArray(value) ? value : [value]
  if (!isArray(value) && !isNumber(value)) {
    throw wrongType(position, value, 'either number (ns) or [number (ns), string (tz)]')
  }
  const [time, zone, layout] = parts
  if (time === undefined) {
    throw wrongType(position, value, 'either number (ns) or [number (ns), string (tz)]')
  }
  const number = asNumber(time, position)
  const moment = {
    zone: zone === undefined ? UTC : zoneOf(ctx, asString(zone, position)),
    layout: layoutOf(layout === undefined ? '' : asString(layout, position)) || RFC3339_NANO,
  }
  const exact = typeof number === 'bigint' || Number.isInteger(number)
  if (!exact || !isInt64(BigInt(number))) throw new BuiltinError('timestamp too big')
  return { ns: BigInt(number), ...moment }
}

const civil = ({ ns, zone }: Moment): Civil => civilOf(ns, zone.offsetAt(Number(ns / SECOND_NS)))

/** Nanoseconds as a number if within 64 bits (the years 1677 to 2262). */
function inRange(ns: bigint): Value {
  if (!isInt64(ns)) throw new BuiltinError('time outside of valid range')
  return fromBigInt(ns)
}

function parse(ctx: BuiltinContext, layout: string, text: string): Value {
  ctx.meter.charge(4 + (layout.length + text.length) / 4)
  return inRange(parseTime(layoutOf(layout), text))
}

/** The calendar of the engine at 0.9: beyond these years its result is undefined, not an error. */
const MAX_YEAR = 262_143
const MAX_INT32 = 2 ** 31 - 1

function addDate(ctx: BuiltinContext, a: Value, b: Value, c: Value, d: Value): Value | undefined {
  const moment = momentIn(ctx, a, 1)
  const at = civil(moment)
  const added = [asInt(b, 2, ctx), asInt(c, 3, ctx), asInt(d, 4, ctx)] as const
  const [year, month, day] = [at.year + added[0], at.month + added[1], at.day + added[2]]
  if (Math.abs(year + month / 12 + day / 365) > MAX_YEAR) {
    const isUndefined =
      ctx.dialect !== 'opa-1.2' && added.every((each) => Math.abs(each) <= MAX_INT32)
    if (isUndefined) return undefined
    throw new BuiltinError('time outside of valid range')
  }
  const local = secondsOf({ ...at, year, month, day })
  return inRange(momentOf(local, at.nanosecond, moment.zone))
}

/** Years, months, days, hours, minutes and seconds between two times, in the zone of the first. */
function diff(ctx: BuiltinContext, a: Value, b: Value): Value {
  // OPA calls both operand 1.
  const [one, other] = [momentIn(ctx, a, 1), momentIn(ctx, b, 1)]
  const moved = { ...other, zone: one.zone }
  const [from, to] = one.ns > moved.ns ? [civil(moved), civil(one)] : [civil(one), civil(moved)]
  let [year, month, day] = [to.year - from.year, to.month - from.month, to.day - from.day]
  let [hour, minute, second] = [
    to.hour - from.hour,
    to.minute - from.minute,
    to.second - from.second,
  ]
  if (second < 0) {
    second += 60
    minute--
  }
  if (minute < 0) {
    minute += 60
    hour--
  }
  if (hour < 0) {
    hour += 24
    day--
  }
  if (day < 0) {
    day += daysIn(from.year, from.month)
    month--
  }
  if (month < 0) {
    month += 12
    year--
  }
  return [year, month, day, hour, minute, second]
}

const MOMENT = union(NUMBER, tuple(NUMBER, STRING))
const THREE = tuple(NUMBER, NUMBER, NUMBER)

export const timeBuiltins: readonly Builtin[] = [
  {
    name: 'time.now_ns',
    args: [],
    result: NUMBER,
    nondeterministic: true,
    call: (ctx) => fromBigInt(ctx.nowNs),
  },
  {
    name: 'time.parse_ns',
    args: [STRING, STRING],
    result: NUMBER,
    call: (ctx, a: Value, b: Value) => parse(ctx, asString(a, 1), asString(b, 2)),
  },
  {
    name: 'time.parse_rfc3339_ns',
    args: [STRING],
    result: NUMBER,
    call: (ctx, a: Value) => parse(ctx, RFC3339, asString(a, 1)),
  },
  {
    name: 'time.parse_duration_ns',
    args: [STRING],
    result: NUMBER,
    call: (ctx, a: Value) => {
      const text = asString(a, 1)
      ctx.meter.charge(text.length)
      return fromBigInt(parseDuration(text))
    },
  },
  {
    name: 'time.format',
    args: [union(NUMBER, tuple(NUMBER, STRING), tuple(NUMBER, STRING, STRING))],
    result: STRING,
    call: (ctx, a: Value) => {
      const { ns, zone, layout } = momentIn(ctx, a, 1)
      ctx.meter.charge(layout.length)
      ctx.meter.allocate(layout.length * 16)
      return formatTime(ns, zone, layout)
    },
  },
  {
    name: 'time.date',
    args: [MOMENT],
    result: THREE,
    call: (ctx, a: Value) => {
      const { year, month, day } = civil(momentIn(ctx, a, 1))
      return [year, month, day]
    },
  },
  {
    name: 'time.clock',
    args: [MOMENT],
    result: THREE,
    call: (ctx, a: Value) => {
      const { hour, minute, second } = civil(momentIn(ctx, a, 1))
      return [hour, minute, second]
    },
  },
  {
    name: 'time.weekday',
    args: [MOMENT],
    result: STRING,
    call: (ctx, a: Value) => WEEKDAYS[weekdayOf(civil(momentIn(ctx, a, 1)))],
  },
  {
    name: 'time.add_date',
    args: [NUMBER, NUMBER, NUMBER, NUMBER],
    result: NUMBER,
    keepsWritten: [1, 2, 3],
    call: addDate,
  },
  {
    name: 'time.diff',
    args: [MOMENT, MOMENT],
    result: tuple(NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER),
    call: diff,
  },
]
