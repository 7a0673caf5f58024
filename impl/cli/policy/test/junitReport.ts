import { fullName } from 'polgate-rego/test/runTests.ts'
import type { FailOpenResult } from './failOpen.ts'
import { isFailOpen } from './failOpen.ts'
import type { CaseResult, PackageReport } from './packageTest.ts'
import type { RegoResult } from './regoTests.ts'

type Test = {
  readonly name: string
  readonly seconds: number
  readonly failure?: string | undefined
  readonly skipped?: boolean
}

/** What XML 1.0 cannot represent, even escaped. */
const illegal = /[^\t\n -~\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const maxText = 20_000

const escaped = (text: string): string =>
  text
    .slice(0, maxText)
    .replace(illegal, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')

/**
 * A report for CI systems, in the format of JUnit: suites of the tests, the cases and the failures, and of
 * problems of the package if it has any.
 */
export function junitReport({ name, problems, rego, cases, failOpen }: PackageReport): string {
  const suites = [
    ...(problems.length === 0 ? [] : [suite(`${name}: package`, problems.map(ofProblem))]),
    suite(`${name}: Rego tests`, rego.map(ofRego)),
    suite(`${name}: decision table`, cases.map(ofCase)),
    suite(`${name}: failing hosts`, failOpen.map(ofFailure)),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(name: string, tests: readonly Test[]): string {
  const failures = tests.filter(({ failure }) => failure !== undefined).length
  const skipped = tests.filter((test) => test.skipped === true).length
  const time = tests.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  const counts = `tests="${tests.length}" failures="${failures}" errors="0" skipped="${skipped}"`
  return [
    `  <testsuite name="${escaped(name)}" ${counts} time="${time}">`,
    ...tests.map((test) => testCase(name, test)),
    '  </testsuite>',
  ].join('\n')
}

function testCase(suiteName: string, { name, seconds, failure, skipped }: Test): string {
  const head = `    <testcase classname="${escaped(suiteName)}" name="${escaped(name)}" time="${seconds.toFixed(3)}"`
  if (skipped === true) return `${head}><skipped/></testcase>`
  if (failure === undefined) return `${head}/>`
  return `${head}><failure message="${escaped(failure)}"/></testcase>`
}

const ofProblem = (problem: string): Test => ({ name: problem, seconds: 0, failure: problem })

const ofRego = ({ test, status, time, error }: RegoResult): Test => ({
  name: fullName(test),
  seconds: time / 1_000,
  skipped: status === 'skip',
  failure:
    status === 'fail' ? 'not true' : status === 'error' ? (error?.text ?? 'error') : undefined,
})

const ofCase = ({ case: { name }, problem, time }: CaseResult): Test => ({
  ...{ name, seconds: time / 1_000, failure: problem },
})

const ofFailure = (result: FailOpenResult): Test => ({
  name: `${result.name}: ${result.host} ${result.failure}`,
  seconds: 0,
  failure: isFailOpen(result) ? 'it is allowed although the host failed' : undefined,
})
