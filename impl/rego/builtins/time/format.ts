import { type Civil, civilOf, SECOND_NS, weekdayOf, yearDayOf } from './civil.ts'
import { MONTHS, piecesOf, WEEKDAYS } from './layout.ts'
import type { Zone } from './zone.ts'

const two = (value: number): string => String(value).padStart(2, '0')

function offsetText(token: string, offset: number): string {
  if (token.startsWith('Z') && offset === 0) return 'Z'
  const size = Math.abs(offset)
  const [hours, minutes, seconds] = [size / 3_600, (size % 3_600) / 60, size % 60].map(Math.floor)
  const colon = token.includes(':') ? ':' : ''
  const length = token.replaceAll(':', '').length
  const parts = [hours, minutes, seconds].slice(0, length === 3 ? 1 : length === 5 ? 2 : 3)
  return (offset < 0 ? '-' : '+') + parts.map((part) => two(part ?? 0)).join(colon)
}

function fractionText(token: string, nanosecond: number): string {
  const digits = String(nanosecond).padStart(9, '0')
  const separator = token.charAt(0)
  if (token.charAt(1) === '0') {
    return separator + digits.slice(0, token.length - 1).padEnd(token.length - 1, '0')
  }
  const kept = digits.slice(0, token.length - 1).replace(/0+$/, '')
  return kept === '' ? '' : separator + kept
}

function tokenText(token: string, at: Civil): string | undefined {
  switch (token) {
    case 'January':
      return MONTHS[at.month - 1]
    case 'Jan':
      return MONTHS[at.month - 1]?.slice(0, 3)
    case 'Monday':
      return WEEKDAYS[weekdayOf(at)]
    case 'Mon':
      return WEEKDAYS[weekdayOf(at)]?.slice(0, 3)
    case '2006':
      return (at.year < 0 ? '-' : '') + String(Math.abs(at.year)).padStart(4, '0')
    case '06':
      return two(((at.year % 100) + 100) % 100)
    case '1':
      return String(at.month)
    case '01':
      return two(at.month)
    case '2':
      return String(at.day)
    case '_2':
      return String(at.day).padStart(2, ' ')
    case '02':
      return two(at.day)
    case '002':
      return String(yearDayOf(at)).padStart(3, '0')
    case '__2':
      return String(yearDayOf(at)).padStart(3, ' ')
    case '15':
      return two(at.hour)
    case '3':
      return String(at.hour % 12 || 12)
    case '03':
      return two(at.hour % 12 || 12)
    case '4':
      return String(at.minute)
    case '04':
      return two(at.minute)
    case '5':
      return String(at.second)
    case '05':
      return two(at.second)
    case 'PM':
      return at.hour >= 12 ? 'PM' : 'AM'
    case 'pm':
      return at.hour >= 12 ? 'pm' : 'am'
    default:
      return undefined
  }
}

/** Formats an instant in a zone by a Go layout. */
export function formatTime(ns: bigint, zone: Zone, layout: string): string {
  const seconds = Number(ns / SECOND_NS)
  const offset = zone.offsetAt(seconds)
  const at = civilOf(ns, offset)
  return piecesOf(layout)
    .map((piece) => {
      if ('literal' in piece) return piece.literal
      const { token } = piece
      const text = tokenText(token, at)
      if (text !== undefined) return text
      if (token === 'MST') return zone.abbreviationAt(seconds)
      return /^[.,]/.test(token) ? fractionText(token, at.nanosecond) : offsetText(token, offset)
    })
    .join('')
}
