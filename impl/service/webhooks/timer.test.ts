import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTimer } from './timer.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }))
afterEach(() => void vi.useRealTimers())

function alarmOf() {
  const rings: number[] = []
  return { rings, alarm: createTimer(Date.now, () => rings.push(Date.now() - 1_000)) }
}

test('fires at each time, in any order of registration', () => {
  const { rings, alarm } = alarmOf()
  for (const time of [1_400, 1_100, 1_200, 1_100]) alarm.at(time)
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([100, 200, 400])
})

test('fires immediately for a time in the past', () => {
  const { rings, alarm } = alarmOf()
  alarm.at(0)
  vi.advanceTimersByTime(5)
  expect(rings).toEqual([1])
})

test('may be set again by its callback', () => {
  const rings: number[] = []
  const alarm = createTimer(Date.now, () => {
    if (rings.push(Date.now()) < 3) alarm.at(Date.now() + 10)
  })
  alarm.at(1_010)
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([1_010, 1_020, 1_030])
})

test('does not fire while the clock is stopped', () => {
  let rings = 0
  const alarm = createTimer(
    () => 5_000,
    () => rings++,
  )
  alarm.at(5_100)
  vi.advanceTimersByTime(1_000)
  expect(rings).toBe(0)
  alarm.stop()
})

test('does not fire after it is stopped', () => {
  const { rings, alarm } = alarmOf()
  alarm.at(1_100)
  alarm.stop()
  vi.advanceTimersByTime(1_000)
  expect(rings).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
