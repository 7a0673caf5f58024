import { fullName } from 'polgate-rego/test/runTests.ts'
import { isFailOpen } from '../policy/test/failOpen.ts'
import { type PackageReport, type TestPart, testPackage } from '../policy/test/packageTest.ts'
import type { DevEvent, TestCounts } from './devEvents.ts'

/**
 * Runs the tests that a change affects.
 *
 * @throws CommandError, RegoError, the reason of the signal
 */
export async function devTests(
  directory: string,
  parts: ReadonlySet<TestPart>,
  signal: AbortSignal,
): Promise<DevEvent & { readonly event: 'tests' }> {
  const begin = performance.now()
  const report = await testPackage(directory, { threshold: 0, note: () => {}, parts, signal })
  signal.throwIfAborted()
  const { rego, cases, failOpen } = report
  const counted = rego.filter(({ status }) => status !== 'skip')
  const table = parts.has('table')
  return {
    event: 'tests',
    passed: report.passed,
    rego: parts.has('rego') ? countOf(counted, ({ status }) => status === 'pass') : null,
    cases: table ? countOf(cases, ({ problem }) => problem === undefined) : null,
    failingHosts: table
      ? { allowed: failOpen.filter(isFailOpen).length, total: failOpen.length }
      : null,
    failures: failuresOf(report),
    ms: Math.round(performance.now() - begin),
  }
}

function countOf<T>(all: readonly T[], passed: (each: T) => boolean): TestCounts {
  return { passed: all.filter(passed).length, total: all.length }
}

const failuresOf = ({ rego, cases, failOpen }: PackageReport): readonly string[] => [
  ...rego
    .filter(({ status }) => status !== 'pass' && status !== 'skip')
    .map(({ test, error }) => [fullName(test), error?.text].filter(Boolean).join(': ')),
  ...cases.flatMap(({ case: { name }, problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  ),
  ...failOpen
    .filter(isFailOpen)
    .map(({ name, host, failure }) => `${name}: ${host} ${failure}, and it is allowed`),
]
