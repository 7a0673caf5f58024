import type { RegoError } from '../errors.ts'
import type { Tracer } from '../evaluate/tracer.ts'
import { fullName, runTests, type TestResult, type TestStatus } from '../test/runTests.ts'
import { leafCases } from '../test/testCases.ts'
import { type ExplainedFailure, plainFailure } from './explain.ts'
import type { Policy } from './policy.ts'

export type TestOptions = {
  /** Runs only tests whose full name (`data.<package>.test_x`) matches. */
  readonly run?: RegExp
  /** Called after each test. */
  readonly onOutcome?: (outcome: TestOutcome) => void
}

export type TestOutcome = {
  /** `data.<package>.test_x` */
  readonly name: string
  readonly file: string
  readonly row: number
  readonly status: TestStatus
  /** Milliseconds. */
  readonly time: number
  /** Lines of `print`. */
  readonly output: readonly string[]
  /** Of a test that could not be evaluated. */
  readonly error?: RegoError
  /** The expressions of a failed test that did not hold, with the values of their parts. */
  readonly failures: readonly ExplainedFailure[]
  /** Of a parameterized test, `test_x[name]`; `outer/inner` for `test_x[outer][inner]`. */
  readonly cases: readonly { readonly name: string; readonly passed: boolean }[]
}

export type TestReport = {
  /** Whether there are tests, and none failed or could not be evaluated. */
  readonly passed: boolean
  readonly outcomes: readonly TestOutcome[]
}

/**
 * Runs the tests of a policy: rules named `test_...`, each in an evaluation of its own. One passes if it
 * is true. `todo_test_...` is skipped. The second rule of a name is `test_...#01`.
 */
export const test = (policy: Policy, options: TestOptions = {}): TestReport =>
  testWith(policy, options)

export function testWith(
  policy: Policy,
  { run, onOutcome }: TestOptions,
  tracer?: Tracer,
): TestReport {
  const outcomes: TestOutcome[] = []
  runTests({
    ...policy.engineOptions,
    clock: () => performance.now(),
    ...(run === undefined ? {} : { run }),
    ...(tracer === undefined ? {} : { tracer }),
    onResult: (result) => {
      const outcome = outcomeOf(result)
      outcomes.push(outcome)
      onOutcome?.(outcome)
    },
  })
  const bad = outcomes.some(({ status }) => status === 'fail' || status === 'error')
  return { passed: outcomes.length > 0 && !bad, outcomes }
}

const outcomeOf = (result: TestResult): TestOutcome => ({
  name: fullName(result.test),
  file: result.test.location.file,
  row: result.test.location.row,
  status: result.status,
  time: result.time,
  output: result.output,
  ...(result.error === undefined ? {} : { error: result.error }),
  failures: result.failures.map(plainFailure),
  cases: leafCases(result.cases),
})
