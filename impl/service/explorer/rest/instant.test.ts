import { expect, it } from 'vitest'
import { fromInstant, parseInstant, untilInstant } from './instant.ts'

function read(text: string) {
  const instant = parseInstant(text)
  return typeof instant === 'string' ? instant : new Date(instant.ms).toISOString()
}

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z'],
  ['2026-01-31T12:30:15', '2026-01-31T12:30:15.000Z'],
  ['2026-01-31 12:30:15z', '2026-01-31T12:30:15.000Z'],
  ['2026-01-31t12:30:15.5Z', '2026-01-31T12:30:15.500Z'],
  ['2026-01-31T12:30:15,123456789Z', '2026-01-31T12:30:15.123Z'],
  ['2026-01-31T12:30:15+02:00', '2026-01-31T10:30:15.000Z'],
  ['2026-01-31T12:30:15-0530', '2026-01-31T18:00:15.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['0000-01-01', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00+14:00', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59.999Z'],
])('reads %s', (text, time) => {
  expect(read(text)).toBe(time)
})

it.each([
  '',
  'now',
  '1769860800',
  '2026-1-31',
  '2026-01',
  '2026-01-31T12',
  '2026-01-31T12:30:15 02:00',
  ' 2026-01-31',
  '2026-01-31\n',
  '+12026-01-31',
])('rejects %j', (text) => {
  expect(read(text)).toMatch(/^ISO 8601 is expected/)
})

it.each([
  ['2026-02-29', 'there is no such day'],
  ['2026-00-01', 'there is no such day'],
  ['2026-13-01', 'there is no such day'],
  ['2026-01-00', 'there is no such day'],
  ['2026-01-01T24:00', 'there is no such time of day'],
  ['2026-01-01T23:59:60', 'there is no such time of day'],
  ['2026-01-01T00:00+24:00', 'there is no such offset'],
  ['2026-01-01T00:00+00:60', 'there is no such offset'],
])('reports why %s is invalid', (text, reason) => {
  expect(read(text)).toBe(reason)
})

it('rounds into the window that it bounds', () => {
  const instant = parseInstant('2026-01-01T00:00:00.0000001Z')
  if (typeof instant === 'string') throw new Error(instant)
  expect(fromInstant(instant).toISOString()).toBe('2026-01-01T00:00:00.001Z')
  expect(untilInstant(instant).toISOString()).toBe('2026-01-01T00:00:00.000Z')
})
