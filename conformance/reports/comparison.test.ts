import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { compareReports, isWorse } from './comparison.ts'
import { comparisonMarkdown, comparisonText } from './comparisonText.ts'
import { cleanRun, exampleClauses, exampleRun } from './exampleRun.fixture.ts'
import { reportOf } from './report.ts'

const of = (events: readonly RunEvent[]) => reportOf(events, exampleClauses)
const plain = picocolors.createColors(false)

/** The example with some results changed, or omitted where null is given. */
const changed = (changes: Readonly<Record<string, Partial<CheckFinished> | null>>) =>
  of(
    exampleRun.flatMap((event): readonly RunEvent[] => {
      if (event.type !== 'check-finished') return [event]
      const change = changes[event.id]
      return change === null ? [] : [{ ...event, ...change }]
    }),
  )

const after = changed({
  'rpc.createTask.allow': { verdict: 'failed', reason: 'the id is <b>wrong</b>', ms: 12 },
  'rpc.createTask.params.threshold-101': { verdict: 'passed', ms: 9_000 },
  'webhook.retry.stops-on-4xx': { ms: 760 },
  'rpc.createTask.unknown-policy': null,
  'chain.attestation.denied': { verdict: 'passed' },
  'rpc.batch.two': { verdict: 'untestable', reason: 'needs key:read: none is given' },
})
const comparison = compareReports(of(exampleRun), after)

describe('golden', () => {
  test.each([
    ['compare.txt', () => comparisonText(comparison, plain)],
    ['compare.md', () => comparisonMarkdown(comparison)],
    ['compare.json', () => `${JSON.stringify(comparison, null, 2)}\n`],
  ])('%s', async (file, make) => {
    await expect(make()).toMatchFileSnapshot(`golden/${file}.golden`)
  })
})

test('each check has the right kind of change', () => {
  const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id)
  expect(ids(comparison.newFailures)).toEqual(['rpc.createTask.allow'])
  expect(ids(comparison.fixed)).toEqual(['rpc.createTask.params.threshold-101'])
  expect(ids(comparison.stillFailing)).toEqual(['webhook.retry.stops-on-4xx'])
  expect(ids(comparison.newlyUntested)).toEqual(['rpc.createTask.unknown-policy', 'rpc.batch.two'])
  expect(ids(comparison.newlyTested)).toEqual(['chain.attestation.denied'])
  expect(comparison.slower).toEqual([
    { id: 'rpc.createTask.params.threshold-101', before: 2310, after: 9000, ratio: 3.9 },
  ])
  expect(comparison.unchanged).toBe(1)
})

test('a run compared with itself is no worse, and the reverse comparison hides nothing', () => {
  const same = compareReports(of(exampleRun), of(exampleRun))
  expect(isWorse(same)).toBe(false)
  expect(same).toMatchObject({ newFailures: [], fixed: [], slower: [], observations: [] })
  expect(isWorse(comparison)).toBe(true)
  expect(isWorse(compareReports(after, of(exampleRun)))).toBe(true)
})

test('a lost proof is worse, although nothing fails', () => {
  const lost = compareReports(of(exampleRun), changed({ 'rpc.createTask.allow': null }))
  expect(lost.newFailures).toEqual([])
  expect(isWorse(lost)).toBe(true)
  // A failure that is no longer tested is reported, but is not a lost proof.
  const hidden = changed({ 'webhook.retry.stops-on-4xx': null })
  expect(isWorse(compareReports(of(exampleRun), hidden))).toBe(false)
  expect(compareReports(of(exampleRun), hidden).newlyUntested).toHaveLength(1)
})

test('a check that is missing in the first run and fails is a new failure', () => {
  expect(compareReports(of(cleanRun), of(exampleRun)).newFailures).toHaveLength(3)
})

test('observations are compared without ids, times and counts', () => {
  const said = (text: string) => changed({ 'rpc.batch.two': { observations: [text] } })
  const differ = (a: string, b: string) => compareReports(said(a), said(b)).observations.length
  expect(
    differ(`task 0x${'a'.repeat(64)} took 12 ms`, `task 0x${'b'.repeat(64)} took 9.5 ms`),
  ).toBe(0)
  expect(differ('a batch gives an array', 'a batch gives an error')).toBe(1)
})

test('of an observation only the new part is shown, truncated', () => {
  const said = (...observations: string[]) => changed({ 'rpc.batch.two': { observations } })
  const long = `a body: ${'x'.repeat(1_000)}`
  const comparison = compareReports(
    said('an array, in 3 ms', 'in order'),
    said('an array, in 9 ms', long),
  )
  expect(comparison.observations).toMatchObject([{ before: ['in order'], after: [long] }])
  const line = comparisonText(comparison, plain)
    .split('\n')
    .find((text) => text.includes('in order -> '))
  expect(line).toMatch(/: in order -> a body: x{152}\.\.\.$/)
})
