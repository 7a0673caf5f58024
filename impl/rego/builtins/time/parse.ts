import { BuiltinError } from '../../errors.ts'
import { bytesIn } from '../bytes.ts'
import { daysIn, SECOND_NS, secondsOf } from './civil.ts'
import { MONTHS, type Piece, piecesOf, WEEKDAYS } from './layout.ts'

type Fields = {
  year: number
  month: number | undefined
  day: number | undefined
  yearDay: number | undefined
  hour: number
  minute: number
  second: number
  nanosecond: number
  pm: boolean
  am: boolean
  /** Seconds east of UTC. */
  offset: number
}

class Mismatch extends Error {}

/**
 * Parses a time by a Go layout. Fields missing in the layout have their first value (year 0,
 * January, 1st), and zone abbreviations other than UTC and GMT+n mean UTC, as in Go.
 *
 * @returns nanoseconds since 1970
 * @throws BuiltinError with the text and the expected part
 */
export function parseTime(layout: string, text: string): bigint {
  const reader = new Reader(text)
  const pieces = piecesOf(layout)
  let wanted = layout
  try {
    pieces.forEach((piece, i) => {
      wanted = 'literal' in piece ? piece.literal : piece.token
      reader.piece(piece, pieces[i + 1])
    })
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const rest = reader.rest === text ? '' : `: cannot parse ${quoted(reader.rest)} as`
    const why =
      error.message ||
      `${rest === '' ? `: cannot parse ${quoted(text)} as` : rest} ${quoted(wanted)}`
    throw new BuiltinError(`parsing time ${quoted(text)} as ${quoted(layout)}${why}`)
  }
  if (reader.rest !== '') {
    throw new BuiltinError(`parsing time ${quoted(text)}: extra text: ${quoted(reader.rest)}`)
  }
  return moment(reader.fields, text)
}

function moment(fields: Fields, text: string): bigint {
  const out = (what: string): BuiltinError =>
    new BuiltinError(`parsing time ${quoted(text)}: ${what} out of range`)
  const { year, yearDay } = fields
  const hour =
    fields.pm && fields.hour < 12
      ? fields.hour + 12
      : fields.am && fields.hour === 12
        ? 0
        : fields.hour
  let month = fields.month ?? 1
  let day = fields.day ?? 1
  if (yearDay !== undefined) {
    const leap = daysIn(year, 2) === 29
    if (yearDay < 1 || yearDay > (leap ? 366 : 365)) throw out('day-of-year')
    month = 1
    day = yearDay
  } else if (day < 1 || day > daysIn(year, month)) throw out('day')
  const seconds = secondsOf({ ...fields, month, day, hour }) - fields.offset
  return BigInt(seconds) * SECOND_NS + BigInt(fields.nanosecond)
}

class Reader {
  rest: string
  readonly fields: Fields = {
    year: 0,
    month: undefined,
    day: undefined,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    pm: false,
    am: false,
    offset: 0,
  }

  constructor(text: string) {
    this.rest = text
  }

  piece(piece: Piece, next: Piece | undefined): void {
    if ('literal' in piece) this.literal(piece.literal)
    else this.token(piece.token, next)
  }

  private take(pattern: RegExp): RegExpExecArray {
    const match = pattern.exec(this.rest)
    if (match === null) throw new Mismatch()
    this.rest = this.rest.slice(match[0].length)
    return match
  }

  /** A run of spaces in the layout matches any run of spaces in the text. */
  private literal(literal: string): void {
    for (let i = 0; i < literal.length; i++) {
      if (literal[i] === ' ') {
        if (this.rest !== '' && this.rest[0] !== ' ') throw new Mismatch()
        while (literal[i + 1] === ' ') i++
        this.rest = this.rest.replace(/^ +/, '')
      } else {
        if (this.rest[0] !== literal[i]) throw new Mismatch()
        this.rest = this.rest.slice(1)
      }
    }
  }

  /** A number of one or two digits, or of exactly two. */
  private number(from: number, to: number, fixed = false): number {
    const value = Number(this.take(fixed ? /^\d\d/ : /^\d\d?/)[0])
    if (value < from || value > to) throw new Mismatch(': value out of range')
    return value
  }

  private name(names: readonly string[], length: number | undefined): number {
    const short = names.map((name) => name.slice(0, length).toLowerCase())
    const index = short.findIndex((name) => this.rest.toLowerCase().startsWith(name))
    if (index < 0) throw new Mismatch()
    this.rest = this.rest.slice((short[index] as string).length)
    return index
  }

  private token(token: string, next: Piece | undefined): void {
    const fields = this.fields
    switch (token) {
      case '2006':
        fields.year = Number(this.take(/^\d{4}/)[0])
        return
      case '06': {
        const year = Number(this.take(/^\d\d/)[0])
        fields.year = year + (year >= 69 ? 1900 : 2000)
        return
      }
      case 'January':
        fields.month = this.name(MONTHS, undefined) + 1
        return
      case 'Jan':
        fields.month = this.name(MONTHS, 3) + 1
        return
      case '1':
      case '01':
        fields.month = this.number(1, 12, token === '01')
        return
      case 'Monday':
        this.name(WEEKDAYS, undefined)
        return
      case 'Mon':
        this.name(WEEKDAYS, 3)
        return
      case '_2':
      case '2':
      case '02':
        if (token === '_2') this.rest = this.rest.replace(/^ /, '')
        fields.day = this.number(0, 99, token === '02')
        return
      case '__2':
      case '002':
        fields.yearDay = Number(this.take(token === '002' ? /^\d{3}/ : /^ {0,2}\d{1,3}/)[0])
        return
      case '15':
        fields.hour = this.number(0, 23)
        return
      case '3':
      case '03':
        fields.hour = this.number(0, 12, token === '03')
        return
      case '4':
      case '04':
        fields.minute = this.number(0, 59, token === '04')
        return
      case '5':
      case '05':
        fields.second = this.number(0, 59, token === '05')
        // A fraction may follow even if the layout has none.
        if (next === undefined || 'literal' in next || !/^[.,]/.test(next.token)) this.fraction()
        return
      case 'PM':
      case 'pm': {
        const half = this.take(token === 'PM' ? /^[AP]M/ : /^[ap]m/)[0].toUpperCase()
        fields.pm = half === 'PM'
        fields.am = half === 'AM'
        return
      }
      case 'MST':
        this.abbreviation()
        return
      default:
        if (/^[.,]9/.test(token)) this.fraction()
        else if (/^[.,]0/.test(token)) this.fixedFraction(token.length - 1)
        else this.zone(token)
    }
  }

  private fraction(): void {
    const match = /^[.,](\d+)/.exec(this.rest)
    if (match === null) return
    this.rest = this.rest.slice(match[0].length)
    this.fields.nanosecond = Number((match[1] ?? '').slice(0, 9).padEnd(9, '0'))
  }

  private fixedFraction(digits: number): void {
    const [, fraction = ''] = this.take(new RegExp(`^[.,](\\d{${Math.min(digits, 1_000)}})`))
    this.fields.nanosecond = Number(fraction.slice(0, 9).padEnd(9, '0'))
  }

  private zone(token: string): void {
    if (token.startsWith('Z') && this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1)
      return
    }
    const length = token.replaceAll(':', '').length
    const colon = token.includes(':') ? ':' : ''
    const pattern = ['(\\d\\d)', '(\\d\\d)', '(\\d\\d)']
      .slice(0, length === 3 ? 1 : length === 5 ? 2 : 3)
      .join(colon)
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = this.take(
      new RegExp(`^([+-])${pattern}`),
    )
    if (Number(hours) > 24 || Number(minutes) > 60 || Number(seconds) > 60) {
      throw new Mismatch(': time zone offset out of range')
    }
    const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
    this.fields.offset = sign === '-' ? -size : size
  }

  private abbreviation(): void {
    const [text, hours] = this.take(/^(?:GMT([+-]\d{1,2})|[+-]\d\d(?:\d\d)?|[A-Z]{3,5})/)
    if (hours !== undefined) this.fields.offset = Number(hours) * 3_600
    else if (/^[+-]/.test(text)) {
      const size = Number(text.slice(1, 3)) * 3_600 + Number(text.slice(3) || '0') * 60
      this.fields.offset = text.startsWith('-') ? -size : size
    }
  }
}

/** A text in quotes as Go's `time` shows it: bytes beyond ASCII and controls as `\xNN`. */
const quoted = (text: string): string =>
  `"${[...bytesIn(text)]
    .map((byte) =>
      byte < 0x20 || byte >= 0x80
        ? `\\x${byte.toString(16).padStart(2, '0')}`
        : byte === 0x22 || byte === 0x5c
          ? `\\${String.fromCharCode(byte)}`
          : String.fromCharCode(byte),
    )
    .join('')}"`
