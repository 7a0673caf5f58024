import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import { badgeReport } from './badge.ts'
import { ctrfReport } from './ctrf.ts'
import {
  cleanRun,
  exampleClauses,
  exampleRun,
  interruptedRun,
  outageRun,
} from './exampleRun.fixture.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { reportOf } from './report.ts'
import { sarifReport } from './sarif.ts'
import { terminalReport } from './terminal.ts'

const like = () => ({ id: 'webhook.retries-4xx', fault: 'retries every status', match: 0.97 })
const runs = {
  example: exampleRun,
  interrupted: interruptedRun,
  clean: cleanRun,
  outage: outageRun,
}
const colours = picocolors.createColors(false)

/**
 * Compares every text report of every example as a whole; update intended changes with `vitest -u`.
 */
describe.each(Object.entries(runs))('of the %s run', (name, events) => {
  const report = reportOf(events, exampleClauses)
  const golden = (file: string) => `golden/${name}.${file}.golden`
  test.each([
    [
      'terminal.txt',
      () => terminalReport(report, { colours, reportPath: 'out/report.html', verbose: true, like }),
    ],
    ['junit.xml', () => junitReport(report)],
    ['report.json', () => jsonReport(report)],
    ['ctrf.json', () => ctrfReport(report)],
    ['report.sarif', () => sarifReport(report)],
    ['summary.md', () => markdownReport(report, like)],
    ['badge.json', () => badgeReport(report)],
  ])('%s', async (file, make) => {
    await expect(make()).toMatchFileSnapshot(golden(file))
    // A pure function: the same again.
    expect(make()).toBe(make())
  })
})
