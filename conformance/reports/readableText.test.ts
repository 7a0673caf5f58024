import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import type { CheckFinished, RunEvent } from '../core/events.ts'
import { exampleClauses, exampleRun } from './exampleRun.fixture.ts'
import { githubAnnotations } from './github.ts'
import { htmlReport } from './html/page.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { readableDiff } from './readableText.ts'
import { reportOf } from './report.ts'
import { terminalReport } from './terminal.ts'

const hex = (end: string) => `0x${'ab'.repeat(3_000)}${end}`
const long = {
  title: `the envelope ${hex('01')} is returned`,
  reason: `the member ${hex('02')} is wrong`,
  expected: `{"envelope":"${hex('03')}","id":1}`,
  observed: `{"envelope":"${hex('04')}","id":1}`,
  counterexample: `{"envelope":"${hex('05')}"}`,
  observations: [`an envelope ${hex('06')}`],
}
const report = reportOf(
  exampleRun.map(
    (event): RunEvent =>
      event.type === 'check-finished' && event.verdict === 'failed'
        ? ({ ...event, ...long, curl: undefined, evidence: [] } as unknown as CheckFinished)
        : event,
  ),
  exampleClauses,
)
const colours = picocolors.createColors(false)

describe('long values have their ends and their length', () => {
  test.each([
    ['terminal', () => terminalReport(report, { colours, verbose: true })],
    ['markdown', () => markdownReport(report)],
    ['JUnit', () => junitReport(report)],
    ['HTML', () => htmlReport(report)],
    ['GitHub', () => githubAnnotations(report).join('\n')],
  ])('in the %s report', (_, make) => {
    const text = make()
    expect(text).not.toContain('ab'.repeat(100))
    expect(text).toMatch(/0x(ab){9}…(\(|&#40;)3001 bytes(\)|&#41;)…(ab){5}02/)
    // What differs can be seen.
    expect(text).toMatch(/ab03/)
    expect(text).toMatch(/ab04/)
  })

  test('and are whole in the JSON report', () => {
    const { checks } = JSON.parse(jsonReport(report)) as { checks: CheckFinished[] }
    const failed = checks.find(({ verdict }) => verdict === 'failed')
    expect(failed).toMatchObject(long)
  })
})

test('values that differ only in their middle still differ', () => {
  const [first, second] = readableDiff(
    JSON.stringify({ a: `0x${'ab'.repeat(500)}cd${'ab'.repeat(500)}` }),
    JSON.stringify({ a: `0x${'ab'.repeat(500)}ce${'ab'.repeat(500)}` }),
  )
  expect(first?.text).toMatch(/abcdab/)
  expect(second?.text).toMatch(/abceab/)
  expect(first!.text.length).toBeLessThan(300)
})
