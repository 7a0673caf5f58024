import { expect, test } from 'vitest'
import type { RunEvent } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { flakesOf } from './flakes.ts'

const [id] = exampleRun.flatMap((event) => (event.type === 'check-finished' ? [event.id] : []))
const turned: readonly RunEvent[] = exampleRun.map((event) =>
  event.type === 'check-finished' && event.id === id ? { ...event, verdict: 'failed' } : event,
)
const without: readonly RunEvent[] = exampleRun.filter(
  (event) => event.type !== 'check-finished' || event.id !== id,
)

test('equal runs have no flakes, even if a check failed in all of them', () => {
  expect(flakesOf([exampleRun, exampleRun, exampleRun])).toMatchObject({
    runs: 3,
    flakes: [],
    flakyRuns: 0,
  })
})

test('a check with a different verdict in one run, or without a report, is a flake', () => {
  expect(flakesOf([exampleRun, turned, exampleRun])).toMatchObject({
    flakes: [{ id, verdicts: { passed: 2, failed: 1 } }],
    flakyRuns: 1,
  })
  expect(flakesOf([exampleRun, without, exampleRun]).flakes).toEqual([
    { id, verdicts: { passed: 2, none: 1 } },
  ])
})

test('if two runs differ both are flaky: neither is the outlier', () => {
  expect(flakesOf([exampleRun, turned]).flakyRuns).toBe(2)
})
