import { isFailOpen } from '../policy/test/failOpen.ts'
import {
  packageFailures,
  TEST_NOT_RUN,
  type TestPart,
  testPackage,
} from '../policy/test/packageTest.ts'
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
  const { rego, cases, failOpen, warnings } = report
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
    failures: packageFailures(report),
    notRun: warnings
      .filter(({ id }) => id === TEST_NOT_RUN)
      .map(({ place, message }) => `${place}: ${message}`),
    ms: Math.round(performance.now() - begin),
  }
}

function countOf<T>(all: readonly T[], passed: (each: T) => boolean): TestCounts {
  return { passed: all.filter(passed).length, total: all.length }
}
