import { expect, test } from 'vitest'
import { delayAfter, judge } from './verdict.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const kindOf = (status: number) => judge({ status, retryAfter: undefined }, now).kind

test('maps a response to its outcome', () => {
  for (const status of [200, 201, 202, 204, 299]) expect(kindOf(status)).toBe('delivered')
  for (const status of [400, 401, 404, 408, 410, 425, 428, 430, 499])
    expect(kindOf(status)).toBe('refused')
  for (const status of [100, 199, 300, 301, 302, 307, 308, 429, 500, 502, 503, 599, 600, 999])
    expect(kindOf(status)).toBe('failed')
})

test.each([
  ['2', 2_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3_000],
  ['Thu, 01 Jan 2015 00:00:03 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['99999999999999999999', 0],
  [undefined, 0],
])('a 429 with Retry-After %s requests a wait of %s ms', (retryAfter, waitMs) => {
  expect(judge({ status: 429, retryAfter }, now)).toMatchObject({ waitMs })
})

test('only a 429 may request a wait', () => {
  expect(judge({ status: 503, retryAfter: '5' }, now)).toMatchObject({ waitMs: 0 })
})

test('waits double from 100 ms to 10 s; a receiver may request more within that range', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((attempts) => delayAfter(attempts))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  expect(delayAfter(1, 2_000)).toBe(2_000)
  expect(delayAfter(1, 3_600_000)).toBe(10_000)
  expect(delayAfter(5, 1)).toBe(1_600)
})
