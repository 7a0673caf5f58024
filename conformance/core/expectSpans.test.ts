import { describe, expect, test } from 'vitest'
import { ConformanceError, NotInTime, TooLate } from './conformanceError.ts'
import { expectSpans, type Span, type SpanBounds } from './expectSpans.ts'
import type { LoopWatch } from './loopWatch.ts'

/** A loop that was late for events at these times, and stalled for so long in total. */
const loop = (late: Readonly<Record<number, number>> = {}, stalled = 0): LoopWatch => ({
  lateBy: (at) => late[at] ?? 0,
  stalled: () => stalled,
})

function verdictOf(spans: readonly Span[], bounds: SpanBounds, watch: LoopWatch = loop()) {
  const texts = { what: 'the time', expected: 'about 10 s', observed: 'another' }
  try {
    expectSpans(spans, bounds, texts, watch)
    return 'passed'
  } catch (error) {
    return error instanceof TooLate ? 'untestable' : 'failed'
  }
}
const bounds = { least: 8_000, most: 18_000 }
const span = (from: number, to: number): Span => ({ from, to })

describe('a span between two received events', () => {
  test('is judged as measured by a suite on time', () => {
    expect(verdictOf([span(0, 10_000)], bounds)).toBe('passed')
    expect(verdictOf([span(0, 6_800)], bounds)).toBe('failed')
    expect(verdictOf([span(0, 18_001)], bounds)).toBe('failed')
    expect(verdictOf([span(0, Number.POSITIVE_INFINITY)], bounds)).toBe('failed')
  })

  test('proves nothing where a late start could make it too short', () => {
    expect(verdictOf([span(3_200, 10_000)], bounds, loop({ 3200: 3_150 }))).toBe('untestable')
    // Even then it would be too short.
    expect(verdictOf([span(3_200, 10_000)], bounds, loop({ 3200: 1_000 }))).toBe('failed')
  })

  test('proves nothing where a late end could make it too long', () => {
    expect(verdictOf([span(0, 19_000)], bounds, loop({ 19000: 2_000 }))).toBe('untestable')
    expect(verdictOf([span(0, 8_500)], bounds, loop({ 8500: 1_000 }))).toBe('passed')
  })

  test('is not affected by lateness that helps neither side', () => {
    expect(verdictOf([span(0, 6_800)], bounds, loop({ 6800: 3_000 }))).toBe('failed')
    expect(verdictOf([span(500, 18_600)], bounds, loop({ 500: 500 }))).toBe('failed')
  })
})

test('a request of the suite is sent later than noted, never earlier', () => {
  const sent = { from: 0, to: 9_000, sent: true }
  expect(verdictOf([sent], { most: 8_000 }, loop({}, 500))).toBe('failed')
  expect(verdictOf([sent], { most: 8_000 }, loop({}, 1_500))).toBe('untestable')
  expect(verdictOf([{ ...sent, to: 7_000 }], { most: 8_000 }, loop({}, 5_000))).toBe('passed')
})

test('of several spans one clear one decides', () => {
  const late = loop({ 100: 3_000 })
  const unclear = span(100, 1_000)
  const one = { least: 1_200, most: 6_000, of: 'one' } as const
  expect(verdictOf([unclear, span(0, 2_000)], one, late)).toBe('passed')
  expect(verdictOf([unclear, span(0, 900)], one, late)).toBe('untestable')
  expect(verdictOf([span(0, 900), span(1, 900)], one, late)).toBe('failed')
  expect(verdictOf([unclear, span(0, 900)], { least: 1_200 }, late)).toBe('failed')
  expect(verdictOf([unclear, span(0, 2_000)], { least: 1_200 }, late)).toBe('untestable')
})

test('a span that is too long may be the fault of the machine, one that is too short is not', () => {
  const thrownBy = (bounds: SpanBounds) => {
    try {
      expectSpans([span(0, 2_000)], bounds, { what: 'a', expected: 'b', observed: 'c' }, loop())
      return undefined
    } catch (error) {
      return (error as Error).constructor
    }
  }
  expect(thrownBy({ most: 1_000 })).toBe(NotInTime)
  expect(thrownBy({ least: 500, most: 1_000 })).toBe(NotInTime)
  expect(thrownBy({ least: 3_000, most: 9_000 })).toBe(ConformanceError)
})
