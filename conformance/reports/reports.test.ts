import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../core/events.ts'
import { coloursFor } from './colours.ts'
import { exampleClauses, exampleRun } from './exampleRun.fixture.ts'
import { createProgress } from './progress.ts'
import { bySection, reportOf } from './report.ts'
import { terminalReport } from './terminal.ts'

const plain = picocolors.createColors(false)

describe('the terminal report', () => {
  test('of an interrupted run is marked as such, and never as conformant', () => {
    const text = terminalReport(reportOf(exampleRun.slice(0, 2)), { colours: plain })
    expect(text).toContain('INCOMPLETE')
    expect(text).toContain('INTERRUPTED: interrupted, 6 checks did not run')
    expect(text).not.toContain('CONFORMANT')
  })
})

test('coverage counts a clause as proven only if a check passed and none failed', () => {
  const [started, passed, failed] = exampleRun as [RunEvent, RunEvent, RunEvent]
  const of = (events: readonly RunEvent[]) => reportOf(events, exampleClauses).coverage
  const both = of([started, { ...passed, clauses: ['4.2-12'] } as RunEvent, failed])
  expect(both.proven).toBe(0)
  expect(both.refuted).toEqual(['4.2-12'])
  expect(of([started, passed]).proven).toBe(2)
})

describe('progress', () => {
  const run = (live: boolean) => {
    const written: string[] = []
    const output = { write: (text: string) => written.push(text), columns: 60 }
    let now = 0
    const progress = createProgress(output, plain, live, () => (now += 1000))
    for (const event of exampleRun) progress.show(event)
    progress.end()
    return written.join('')
  }

  test('outside a terminal: plain lines, one per section and per failure', () => {
    expect(run(false)).toMatchInlineSnapshot(`
      "x 4.2 rpc.createTask.params.threshold-101: svc_createTask: the error object is wrong
      x 6.2 webhook.retry.stops-on-4xx: webhook /f00d: the number of attempts after a 400 is wrong
      [3/7] section 6.2 done
      x 4.2 rpc.createTask.unknown-policy: the answer is wrong: \\u0007 \\ud800 \\u202e
      [5/7] section 2.5 done
      [6/7] section 4.2 done
      [7/7] section 4.1 done
      "
    `)
  })

  test('on a terminal: one line that is rewritten, failures kept above it', () => {
    const text = run(true)
    // The counts come first: a line that is too long loses the end of an id.
    expect(text).toMatch(
      /\[1\/7\] 0 failed {2}0 untestable {2}ETA \d+:\d\d {2}rpc\.createTask\.allo/,
    )
    expect(text).toContain(
      'x 4.2 rpc.createTask.params.threshold-101: svc_createTask: the error object is wrong\n',
    )
    for (const line of text.split('\r\u001b[2K')) expect(line.trimEnd().length).toBeLessThan(110)
  })
})

describe('colours', () => {
  const coloured = (isTTY: boolean, env: Record<string, string>) =>
    coloursFor({ isTTY }, env).isColorSupported
  test('on a terminal', () => expect(coloured(true, {})).toBe(true))
  test('not in a pipe', () => expect(coloured(false, {})).toBe(false))
  test('not with NO_COLOR, nor on a dumb terminal', () => {
    expect(coloured(true, { NO_COLOR: '1' })).toBe(false)
    expect(coloured(true, { TERM: 'dumb' })).toBe(false)
  })
  test('in a pipe if they are forced', () => {
    expect(coloured(false, { FORCE_COLOR: '1' })).toBe(true)
  })
})

test('sections are in the order of their numbers, as a collator has them', () => {
  const sections = ['2.10', '2.9', '2', '10', '2.9.1', '4.1', '41', 'own', '2.9a', '', '7', '07.1']
  const { compare } = new Intl.Collator('en', { numeric: true })
  for (const a of sections)
    for (const b of sections)
      expect([a, b, Math.sign(bySection(a, b))]).toEqual([a, b, compare(a, b)])
})
