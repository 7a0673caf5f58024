import { describe, expect, test } from 'vitest'
import type { CheckFinished, RunEvent, RunFinished, RunStarted } from '../core/events.ts'
import { exampleRun } from '../reports/exampleRun.fixture.ts'
import { reportOf } from '../reports/report.ts'
import { mergeLogs } from './mergeLogs.ts'

const started = exampleRun.find((event): event is RunStarted => event.type === 'run-started')!
const finished = exampleRun.find((event): event is RunFinished => event.type === 'run-finished')!
const results = exampleRun.filter(
  (event): event is CheckFinished => event.type === 'check-finished',
)

/** The example run as one of two shards: each has every other check. */
function part(index: 1 | 2, change: Partial<RunStarted> = {}, laterMs = 0) {
  const mine = (_: unknown, i: number) => i % 2 === index - 1
  const others = started.checks.filter((check, i) => !mine(check, i))
  const at = new Date(Date.parse(started.at) + laterMs).toISOString()
  return {
    name: `out/${index}`,
    events: [
      {
        ...started,
        at,
        checks: started.checks.filter(mine),
        shard: { index, count: 2, others },
        ...change,
      },
      ...results.filter(mine),
      finished,
    ] satisfies RunEvent[],
  }
}
const verdicts = (events: readonly RunEvent[]) =>
  reportOf(events)
    .results.map(({ id, verdict }) => `${id} ${verdict}`)
    .sort()

describe('logs of the shards of a run', () => {
  test('are one log with the verdicts of one run', () => {
    const merged = mergeLogs([part(2), part(1)])
    expect(verdicts(merged)).toEqual(verdicts(exampleRun))
    const [one, other] = [reportOf(merged).summary, reportOf(exampleRun).summary]
    expect(one).toEqual(other)
  })

  test('events of a later shard come later', () => {
    const merged = mergeLogs([part(1), part(2, {}, 5_000)])
    const ats = merged.filter((e) => e.type === 'check-finished').map(({ at }) => at)
    expect(Math.max(...ats) - Math.min(...ats)).toBeGreaterThanOrEqual(5_000)
  })

  test('with a missing shard are inconclusive: its checks did not report', () => {
    const only = part(1)
    const passing = only.events.map((event) =>
      event.type === 'check-finished' ? { ...event, verdict: 'passed' as const } : event,
    )
    const { code, reason, total } = reportOf(mergeLogs([{ ...only, events: passing }])).summary
    const away = Math.floor(results.length / 2)
    expect([code, reason, total]).toEqual([3, `${away} checks did not report`, results.length])
  })

  test('with an incomplete shard are those of an interrupted run', () => {
    const cut = part(2)
    const merged = mergeLogs([part(1), { ...cut, events: cut.events.slice(0, -1) }])
    expect(reportOf(merged).summary.code).toBe(130)
  })

  test.each([
    ['seed', { seed: '0x00000001' }],
    ['suite', { suite: 'conformance 9.9.9' }],
    ['target', { target: 'http://127.0.0.1:2' }],
    ['effort', { effort: 2 }],
    ['missing capabilities', { missing: {} }],
    ['checks', { checks: [] }],
  ] as const)('of different runs are refused: %s', (name, change) => {
    expect(() => mergeLogs([part(1), part(2, change)])).toThrow(
      `out/1 and out/2 are not shards of one run: their ${name} differ`,
    )
  })

  test('given twice, or of a whole run, are rejected', () => {
    expect(() => mergeLogs([part(1), { ...part(1), name: 'again' }])).toThrow('the same shard')
    expect(() => mergeLogs([{ name: 'whole', events: exampleRun }])).toThrow('not a shard')
    expect(() => mergeLogs([])).toThrow('no event log')
  })
})
