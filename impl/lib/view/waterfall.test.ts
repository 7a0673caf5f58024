import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { property } from '../testing/property.ts'
import { type WaterfallItem, waterfall } from './waterfall.ts'

const placed = (...[items, options]: Parameters<typeof waterfall>) =>
  waterfall(items, options).rows.map(
    ({ item, shape, depth, left, width }) =>
      `${'  '.repeat(depth)}${item.id} ${shape} ${left.toFixed(2)} ${width.toFixed(2)}`,
  )

describe('items on an axis', () => {
  test('bars, marks and work that has not ended', () => {
    const items = [
      { id: 'request', start: 1_000, end: 1_050 },
      { id: 'frame', start: 1_025 },
      { id: 'task', start: 1_050, end: null },
    ]
    expect(placed(items, { now: 1_100, least: 0.1 })).toEqual([
      'request done 0.00 0.50',
      'frame event 0.25 0.10',
      'task open 0.50 0.50',
    ])
  })

  test('an event of an uncertain time is where it may be, and does not lengthen the axis', () => {
    const items = [
      { id: 'task', start: 0, end: 100 },
      { id: 'posted', start: 50, within: 1_000 },
      { id: 'before', start: -20, within: 40 },
      { id: 'spent', start: 60_000, within: 1_000 },
    ]
    expect(placed(items, { least: 0.1 })).toEqual([
      'before uncertain 0.00 0.20',
      'task done 0.00 1.00',
      'posted uncertain 0.50 0.50',
      'spent later 0.90 0.10',
    ])
    expect(placed([{ id: 'alone', start: 5, within: 1_000 }])).toEqual([
      'alone uncertain 0.00 1.00',
    ])
  })

  test('parts are below what they belong to, each level by start', () => {
    const items = [
      { id: 'vote', start: 7, parent: 'b' },
      { id: 'oracle', start: 4, end: 6, parent: 'b' },
      { id: 'b', start: 3, end: 8, parent: 'task' },
      { id: 'a', start: 2, end: 9, parent: 'task' },
      { id: 'next', start: 5 },
      { id: 'task', start: 0, end: 10 },
    ]
    expect(placed(items).map((row) => row.split(/ (?=[deo]\w+ \d)/)[0])).toEqual([
      'task',
      '  a',
      '  b',
      '    oracle',
      '    vote',
      'next',
    ])
  })

  test('a mark at the very end is still inside', () => {
    const [, end] = waterfall(
      [
        { id: 'a', start: 0 },
        { id: 'b', start: 10 },
      ],
      { least: 0.1 },
    ).rows
    expect(end).toMatchObject({ left: 0.9, width: 0.1, after: 10 })
  })

  test('an unknown parent is none, and a circle of parents loses no item', () => {
    const items = [
      { id: 'a', start: 0, parent: 'nobody' },
      { id: 'b', start: 1, parent: 'c' },
      { id: 'c', start: 2, parent: 'b' },
      { id: 'd', start: 3, parent: 'd' },
    ]
    expect(placed(items, { least: 0 }).map((row) => row.replace(/ event.*/, ''))).toEqual([
      'a',
      'b',
      '  c',
      'd',
    ])
  })

  test('without items there is an axis without rows', () => {
    expect(waterfall([])).toEqual({ from: 0, span: 1, ticks: [{ after: 0, left: 0 }], rows: [] })
  })

  test.each([
    [0.4, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [7, [0, 1, 2, 3, 4, 5, 6, 7]],
    [45, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]],
    [99, [0, 20, 40, 60, 80]],
    [1_000, [0, 200, 400, 600, 800, 1_000]],
  ])('ticks of %d ms are round', (span, expected) => {
    const { ticks } = waterfall([{ id: 'a', start: 5, end: 5 + span }])
    expect(ticks.map(({ after }) => Math.round(after * 1e6) / 1e6)).toEqual(expected)
  })

  test('is refused where a time is not finite, or an id is there twice', () => {
    expect(() => waterfall([{ id: 'a', start: Number.NaN }])).toThrow('item a has a time')
    expect(() => waterfall([{ id: 'a', start: 0, end: Number.POSITIVE_INFINITY }])).toThrow(
      'item a',
    )
    expect(() => waterfall([{ id: 'a', start: 0, within: Number.NaN }])).toThrow('item a')
    expect(() =>
      waterfall([
        { id: 'a', start: 0 },
        { id: 'a', start: 1 },
      ]),
    ).toThrow('two items have the id a')
  })
})

/** Times of any size; an end may be before its start, as with a clock that is set back. */
const time = fc.oneof(fc.nat(3_000), fc.double({ min: -1e15, max: 1e15, noNaN: true }))
const item = fc.record<WaterfallItem>(
  {
    id: fc.uuid(),
    start: time,
    end: fc.option(time),
    parent: fc.constantFrom('p', 'q'),
  },
  { requiredKeys: ['id', 'start'] },
)
/** Two of them may be parts of each other. */
const items = fc
  .tuple(fc.array(item, { maxLength: 12 }), item, item)
  .map(([some, p, q]) => [...some, { ...p, id: 'p' }, { ...q, id: 'q' }])
const options = fc.record(
  { now: time, least: fc.double({ min: 0, max: 1, noNaN: true }) },
  { requiredKeys: [] },
)

property([items, options], { numRuns: 200 })(
  'every item has one row, within the axis',
  (some, how) => {
    const { rows, ticks, span } = waterfall(some, how)
    expect(new Set(rows.map((row) => row.item))).toEqual(new Set(some))
    expect(rows).toHaveLength(some.length)
    for (const { left, width, after } of rows) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(width).toBeGreaterThanOrEqual(how.least ?? 0.008)
      expect(left + width).toBeLessThanOrEqual(1 + Number.EPSILON)
      expect(after).toBeGreaterThanOrEqual(0)
      expect(after).toBeLessThanOrEqual(span)
    }
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    expect(ticks.length).toBeLessThanOrEqual(10)
    for (const { left } of ticks) expect(left).toBeLessThanOrEqual(1)
  },
)

property([items, time], { numRuns: 100 })(
  'the layout is the same on a clock that is ahead',
  (some, ahead) => {
    const rounded = some.map(({ start, end, ...rest }) => ({
      ...rest,
      start: Math.round(start),
      ...(end === undefined ? {} : { end: end === null ? null : Math.round(end) }),
    }))
    const by = Math.round(ahead)
    const later = rounded.map((one) => ({
      ...one,
      start: one.start + by,
      ...(typeof one.end === 'number' ? { end: one.end + by } : {}),
    }))
    const shape = (of: readonly WaterfallItem[]) =>
      waterfall(of).rows.map(({ item: { id }, left, width, depth }) => ({ id, left, width, depth }))
    expect(shape(later)).toEqual(shape(rounded))
  },
)
