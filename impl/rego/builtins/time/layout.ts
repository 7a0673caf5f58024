/** A piece of a layout: literal text, or a token such as `2006` or `.000`. */
export type Piece = { readonly literal: string } | { readonly token: string }

const TOKEN =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm|[-Z]07(?::00:00|0000|:00|00|)|[.,](?:0+|9+)(?!\d)/g

/** Splits a Go layout: the reference time Mon Jan 2 15:04:05 2006 -0700 in the desired format. */
export function piecesOf(layout: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of layout.matchAll(TOKEN)) {
    if (match.index > from) pieces.push({ literal: layout.slice(from, match.index) })
    pieces.push({ token: match[0] })
    from = match.index + match[0].length
  }
  if (from < layout.length) pieces.push({ literal: layout.slice(from) })
  return pieces
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** Predefined layouts by name. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['ANSIC', 'Mon Jan _2 15:04:05 2006'],
  ['UnixDate', 'Mon Jan _2 15:04:05 MST 2006'],
  ['RubyDate', 'Mon Jan 02 15:04:05 -0700 2006'],
  ['RFC822', '02 Jan 06 15:04 MST'],
  ['RFC822Z', '02 Jan 06 15:04 -0700'],
  ['RFC850', 'Monday, 02-Jan-06 15:04:05 MST'],
  ['RFC1123', 'Mon, 02 Jan 2006 15:04:05 MST'],
  ['RFC1123Z', 'Mon, 02 Jan 2006 15:04:05 -0700'],
  ['RFC3339', '2006-01-02T15:04:05Z07:00'],
  ['RFC3339Nano', '2006-01-02T15:04:05.999999999Z07:00'],
])

export const RFC3339 = '2006-01-02T15:04:05Z07:00'
export const RFC3339_NANO = '2006-01-02T15:04:05.999999999Z07:00'

export const layoutOf = (nameOrLayout: string): string => NAMED.get(nameOrLayout) ?? nameOrLayout
