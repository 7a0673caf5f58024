import { expect, test } from 'vitest'
import type { RunEvent } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { type SeedRun, seedRunOf, summaryOf, summaryText } from './seedRuns.ts'

const musts = exampleRun.flatMap((event) =>
  event.type === 'check-finished' && event.level === 'must' ? [event] : [],
)

test('a run keeps the must checks that failed or were untestable, with the reason', () => {
  const run = seedRunOf(exampleRun)
  const idsOf = (verdict: string) =>
    musts.filter((event) => event.verdict === verdict).map(({ id }) => id)
  expect(idsOf('failed').length).toBeGreaterThan(0)
  expect(run?.failed.map(({ id }) => id)).toEqual(idsOf('failed'))
  expect(run?.untestable.map(({ id }) => id)).toEqual(idsOf('untestable'))
  expect(run?.failed[0]?.reason).toMatch(/\S/)
})

test('an interrupted run, or one without an end, is none', () => {
  const interrupted = exampleRun.map(
    (event): RunEvent => (event.type === 'run-finished' ? { ...event, interrupted: true } : event),
  )
  expect(seedRunOf(interrupted)).toBeUndefined()
  expect(seedRunOf(exampleRun.filter(({ type }) => type !== 'run-finished'))).toBeUndefined()
})

function runOf(seed: string, failed: readonly string[], untestable: readonly string[]): SeedRun {
  const told = (id: string) => ({ id, reason: `${id} of ${seed}` })
  return { seed, seconds: 1, load: '0', failed: failed.map(told), untestable: untestable.map(told) }
}

test('the summary counts runs by check; a check is often untestable above a tenth of the runs', () => {
  const runs = Array.from({ length: 20 }, (_, at) =>
    runOf(`0x${at}`, at === 7 ? ['a'] : [], at < 3 ? ['b', 'c'] : at === 9 ? ['c', 'd'] : []),
  )
  const { failed, untestable, often } = summaryOf(runs)
  expect(failed).toEqual([{ id: 'a', seeds: ['0x7'], reason: 'a of 0x7' }])
  expect(untestable.map(({ id, seeds }) => [id, seeds.length])).toEqual([
    ['c', 4],
    ['b', 3],
    ['d', 1],
  ])
  expect(often.map(({ id }) => id)).toEqual(['c', 'b'])
  expect(summaryText(runs)).toContain('a  1 of 20 runs (0x7): a of 0x7')
})
