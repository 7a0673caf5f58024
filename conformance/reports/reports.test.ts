import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../runner/events.ts'
import { coloursFor } from './colours.ts'
import { exampleRun } from './exampleRun.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { createProgress } from './progress.ts'
import { reportOf } from './report.ts'
import { terminalReport } from './terminal.ts'

const plain = picocolors.createColors(false)
const report = reportOf(exampleRun)

describe('the terminal report', () => {
  test('of a run that came to every verdict', () => {
    const text = terminalReport(report, {
      colours: plain,
      reportPath: 'out/report.json',
      verbose: true,
    })
    expect(
      text.replace(/of \d+ proven, \d+/, 'of N proven, N').replace(/(\d)\/\d+/g, '$1/N'),
    ).toMatchInlineSnapshot(`
      "x 4.2 rpc.createTask.params.threshold-101  MUST  2.31s
        Title    createTask is refused when quorum_threshold_percentage is 101
        Clause   4.2-12: A threshold outside 0-100 is refused.
        Twin     createTask with that member right: accepted
        Fault    the error code is wrong
        Expected -32602
        Observed {"code":-32603,"message":"a <b> & \\u0007 \\"c\\""}
        Example  {"threshold":101} (after 3 runs, path 2:0)
        Replay   curl -s 'http://127.0.0.1:1/rpc' -H "authorization: Bearer $SVC_KEY_READ"

      Untestable
        1 x needs chain: the target names no node of its chain: chain.attestation.denied

      Not applicable
        1 x operators of production are not stopped: rpc.quorum.killed.all

      Observed on open points (never a verdict)
        4.1-12  a batch of two gives an array of 2

      Clauses proven, of those with a check
        2.5  0/N     4.1  1/N     4.2  1/N

      clauses  2 of N proven, N with a written reason, 1 refuted | 1 observations on open points
      target   http://127.0.0.1:1
      FAILED 1 must | 1 untestable | 1 not applicable | 2 passed | provable max 3 of 5 | seed 0x005eed42 | report out/report.json
      NOT CONFORMANT: 1 required checks failed"
    `)
  })

  test('of a run that was cut off says so, and never that it is conformant', () => {
    const text = terminalReport(reportOf(exampleRun.slice(0, 2)), { colours: plain })
    expect(text).toContain('INCOMPLETE')
    expect(text).toContain('INTERRUPTED: interrupted, 4 checks did not run')
    expect(text).not.toContain('CONFORMANT')
  })
})

test('the JUnit report', () => {
  expect(junitReport(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="certification" tests="5" failures="1" errors="0" skipped="2" time="2.358">
      <testsuite name="section 2.5" tests="1" failures="0" errors="0" skipped="1" time="0.012" timestamp="2026-11-21T03:00:00">
        <properties>
          <property name="seed" value="0x005eed42"/>
          <property name="suite" value="conformance 0.1.0"/>
          <property name="target" value="http://127.0.0.1:1"/>
          <property name="complete" value="true"/>
        </properties>
        <testcase name="chain.attestation.denied" classname="2.5-13" time="0.012">
          <skipped message="untestable: needs chain: the target names no node of its chain"/>
        </testcase>
      </testsuite>
      <testsuite name="section 4.1" tests="1" failures="0" errors="0" skipped="0" time="0.012" timestamp="2026-11-21T03:00:00">
        <properties>
          <property name="seed" value="0x005eed42"/>
          <property name="suite" value="conformance 0.1.0"/>
          <property name="target" value="http://127.0.0.1:1"/>
          <property name="complete" value="true"/>
        </properties>
        <testcase name="rpc.batch.two" classname="4.1-12" time="0.012"/>
      </testsuite>
      <testsuite name="section 4.2" tests="3" failures="1" errors="0" skipped="1" time="2.334" timestamp="2026-11-21T03:00:00">
        <properties>
          <property name="seed" value="0x005eed42"/>
          <property name="suite" value="conformance 0.1.0"/>
          <property name="target" value="http://127.0.0.1:1"/>
          <property name="complete" value="true"/>
        </properties>
        <testcase name="rpc.createTask.allow" classname="4.2-02" time="0.012"/>
        <testcase name="rpc.createTask.params.threshold-101" classname="4.2-12" time="2.310">
          <failure message="the error code is wrong" type="must">createTask is refused when quorum_threshold_percentage is 101
    clauses: 4.2-12
    twin: createTask with that member right
    expected: -32602
    observed: {&quot;code&quot;:-32603,&quot;message&quot;:&quot;a &lt;b&gt; &amp; ? \\&quot;c\\&quot;&quot;}
    counterexample: {&quot;threshold&quot;:101} (after 3 runs, path 2:0)
    curl -s 'http://127.0.0.1:1/rpc' -H &quot;authorization: Bearer $SVC_KEY_READ&quot;</failure>
        </testcase>
        <testcase name="rpc.quorum.killed.all" classname="4.2-12" time="0.012">
          <skipped message="not-applicable: operators of production are not stopped"/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `)
})

describe('the JSON report', () => {
  const json = JSON.parse(jsonReport(report))
  test('tells the end, the counts and every check', () => {
    expect(json).toMatchObject({
      reportVersion: 1,
      complete: true,
      seed: '0x005eed42',
      exitCode: 1,
      summary: { passed: 2, failed: { must: 1 }, untestable: 1, notApplicable: 1, total: 5 },
    })
    expect(json.checks).toHaveLength(5)
  })
  test('of a run that was cut off is not complete', () => {
    const cut = JSON.parse(jsonReport(reportOf(exampleRun.slice(0, 3))))
    expect([cut.complete, cut.finishedAt, cut.exitCode]).toEqual([false, null, 130])
  })
})

test('coverage counts a clause as proven only where a check passed and none failed', () => {
  const [started, passed, failed] = exampleRun as [RunEvent, RunEvent, RunEvent]
  const both = reportOf([started, { ...passed, clauses: ['4.2-12'] } as RunEvent, failed]).coverage
  expect(both.proven).toBe(0)
  expect(both.refuted).toEqual(['4.2-12'])
  expect(reportOf([started, passed]).coverage.proven).toBe(1)
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

  test('elsewhere than on a terminal: plain lines, a section and a failure each', () => {
    expect(run(false)).toMatchInlineSnapshot(`
      "x 4.2 rpc.createTask.params.threshold-101: the error code is wrong
      [3/5] section 2.5 done
      [4/5] section 4.2 done
      [5/5] section 4.1 done
      "
    `)
  })

  test('on a terminal: one line that rewrites itself, failures left standing', () => {
    const text = run(true)
    expect(text).toContain('\r\u001b[2K[1/5] rpc.createTask.allow')
    expect(text).toContain('x 4.2 rpc.createTask.params.threshold-101: the error code is wrong\n')
    for (const line of text.split('\r\u001b[2K')) expect(line.trimEnd().length).toBeLessThan(80)
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
  test('in a pipe where they are forced', () => {
    expect(coloured(false, { FORCE_COLOR: '1' })).toBe(true)
  })
})
