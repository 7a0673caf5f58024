import { expect, test } from 'vitest'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { exampleRun, outageRun } from './exampleRun.fixture.ts'
import { githubAnnotations, githubOutputs } from './github.ts'
import { reportOf } from './report.ts'

const changed = (
  change: (result: CheckFinished, at: number) => CheckFinished,
): readonly RunEvent[] =>
  exampleRun.map((event, at) => (event.type === 'check-finished' ? change(event, at) : event))
function failing(count: number, sameCause = false): readonly RunEvent[] {
  const failure = exampleRun.find((e) => e.type === 'check-finished' && e.verdict === 'failed')!
  const others = exampleRun.filter((event) => event.type !== 'check-finished')
  // Each is a cause of its own, unless they share the answer.
  const copies = Array.from({ length: count }, (_, i) => ({
    ...failure,
    id: `rpc.copy.${i}`,
    observed: sameCause ? 'an error' : 'x'.repeat(i + 1),
  }))
  return [others[0]!, ...(copies as RunEvent[]), others.at(-1)!]
}

test('a failure is an error with its clause, expectation and observation', () => {
  const [first] = githubAnnotations(reportOf(exampleRun))
  expect(first).toMatch(
    /^::error title=rpc\.createTask\.params\.threshold-101::svc_createTask: .*%0Asent: .*%0Aclause: 4\.2-12%0A/,
  )
  expect(first).toMatch(/%0Aexpected: .*-32602.*%0Aobserved: .*-32603/)
})

test('text from a gateway is never a workflow command', () => {
  const hostile = changed((result) =>
    result.verdict === 'failed' ? { ...result, observed: 'x\n::add-mask::y\r\n%0A' } : result,
  )
  const lines = githubAnnotations(reportOf(hostile))
  expect(lines.join('\n')).not.toMatch(/^::add-mask/m)
  expect(lines[0]).toContain('x%0A::add-mask::y%0D%0A%250A')
})

test('at most ten are shown, and the last gives the number of the rest', () => {
  expect(githubAnnotations(reportOf(failing(10)))).toHaveLength(10)
  const lines = githubAnnotations(reportOf(failing(25)))
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toBe('::error title=16 more::see the summary of the job')
})

test('failures of one cause are one annotation', () => {
  const lines = githubAnnotations(reportOf(failing(25, true)))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^::error title=rpc\.copy\.0 and 24 more::.*the same cause: rpc\.copy\.1, /,
  )
})

test('an outage is the first annotation', () => {
  const [first] = githubAnnotations(reportOf(outageRun))
  expect(first).toMatch(
    /^::error title=outage::the gateway stopped answering after 1\.53 s .*Pending/,
  )
})

test('a run without failures that proves too little is annotated', () => {
  const passed = changed((result) =>
    result.verdict === 'failed' ? { ...result, verdict: 'untestable' } : result,
  )
  expect(githubAnnotations(reportOf(passed))).toMatchObject([
    expect.stringMatching(
      /^::error title=verdict::base: \d+ of \d+ required clauses not proven, most of them because: /,
    ),
  ])
})

test('outputs are a line each', () => {
  const outputs = githubOutputs(reportOf(exampleRun), 'out')
  for (const line of outputs) expect(line).toMatch(/^[a-z-]+=[^\n]*$/)
  expect(outputs).toContain('exit-code=1')
  expect(outputs).toContain('report-dir=out')
})
