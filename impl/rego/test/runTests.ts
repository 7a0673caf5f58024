import { pathText } from '../compile/resolved.ts'
import { createEngine, type Engine, type EngineOptions } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { Explainer, type Failure } from '../report/explain.ts'
import type { Module } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'
import { discoverTests, hasCases, type NearTest, nearTests, type TestRule } from './discover.ts'
import { instrument, testCaseBuiltin } from './instrument.ts'
import { type TestCase, testCases } from './testCases.ts'

export type TestStatus = 'pass' | 'fail' | 'error' | 'skip'

export type TestResult = {
  readonly test: TestRule
  readonly status: TestStatus
  /** Milliseconds. */
  readonly time: number
  /** Output of `print`. */
  readonly output: readonly string[]
  readonly error: RegoError | undefined
  /** The failed expressions. */
  readonly failures: readonly Failure[]
  /** For a parameterized test: each case. */
  readonly cases: readonly TestCase[]
  /** Of a test that passed, with `benchMs`: how often it ran again, and for how many milliseconds. */
  readonly bench?: { readonly runs: number; readonly ms: number }
}

export type TestOptions = Omit<EngineOptions, 'clock' | 'rewrite'> & {
  /** Runs only tests whose full name (`data.pkg.test_x`) matches. */
  readonly run?: { test(name: string): boolean }
  /** Repeats each test that passes for this time, to measure it. */
  readonly benchMs?: number
  /** Monotonic milliseconds, for the durations of tests. */
  readonly clock: () => number
  readonly onResult?: (result: TestResult) => void
}

export type TestRun = {
  readonly modules: readonly Module[]
  readonly results: readonly TestResult[]
  /** What looks like a test and is not run. */
  readonly near: readonly NearTest[]
}

/**
 * Runs the tests of a set of modules, each in a separate evaluation. A test passes if its rule is
 * true; an undefined or false rule fails, and so does any other value. A parameterized test passes if each of its
 * cases is true.
 *
 * @throws RegoError if the modules do not compile
 */
export function runTests(options: TestOptions): TestRun {
  const suite = new Suite(options)
  const { modules } = suite.engine
  const tests = discoverTests(modules)
  const { run, onResult } = options
  const chosen = run === undefined ? tests : tests.filter((test) => run.test(fullName(test)))
  const results: TestResult[] = []
  for (const test of chosen) {
    const result = test.todo ? skipped(test) : suite.run(test)
    results.push(result)
    onResult?.(result)
  }
  return { modules, results, near: nearTests(modules) }
}

/** `data.pkg.test_x` */
export const fullName = (test: Pick<TestRule, 'package' | 'name'>): string =>
  `${test.package}.${test.name}`

const skipped = (test: TestRule): TestResult => ({
  test,
  status: 'skip',
  time: 0,
  output: [],
  error: undefined,
  failures: [],
  cases: [],
})

/** One program for all tests, and for the explanations of those that fail. */
class Suite {
  readonly engine: Engine
  private readonly clock: () => number
  private readonly benchMs: number
  /** The names of cases that the running test announced. */
  private announced: Value[] = []
  private explaining: Engine | undefined
  private explainer = new Explainer()

  constructor({ clock, run: _, onResult: __, benchMs = 0, ...options }: TestOptions) {
    this.clock = clock
    this.benchMs = benchMs
    const recorder = testCaseBuiltin((path) => void this.announced.push(path))
    this.engine = createEngine({
      ...options,
      extensions: [...(options.extensions ?? []), recorder],
      rewrite: instrument,
      strict: options.strict ?? false,
    })
  }

  run(test: TestRule): TestResult {
    const output: string[] = []
    this.announced = []
    const start = this.clock()
    const base = { ...skipped(test), output }
    try {
      if (test.rule.head.args !== undefined) throw functionError(test)
      const print = (line: string): void => {
        output.push(line)
      }
      const value = this.engine.begin({ print }).document(test.path)
      const time = this.clock() - start
      const cases = hasCases(test) ? testCases(value, this.announced) : []
      const passed = hasCases(test)
        ? value !== undefined && cases.every((each) => each.passed)
        : value === true
      const failures = passed ? [] : this.explained(test)
      const bench = passed && this.benchMs > 0 ? { bench: this.measured(test) } : {}
      return { ...base, status: passed ? 'pass' : 'fail', time, failures, cases, ...bench }
    } catch (error) {
      if (!(error instanceof RegoError)) throw error
      return { ...base, status: 'error', time: this.clock() - start, error }
    }
  }

  private measured({ path }: TestRule): { readonly runs: number; readonly ms: number } {
    const start = this.clock()
    for (let runs = 1; ; runs++) {
      this.engine.begin().document(path)
      const ms = this.clock() - start
      if (ms >= this.benchMs) return { runs, ms }
    }
  }

  /** Evaluates a failed test again to explain the failure. */
  private explained(test: TestRule): readonly Failure[] {
    this.explaining ??= this.engine.traced({
      enterRule: (rule, branch) => this.explainer.enterRule(rule, branch),
      exitRule: () => this.explainer.exitRule(),
      enter: (literal) => this.explainer.enter(literal),
      pass: (literal) => this.explainer.pass(literal),
      exit: (literal, operands) => this.explainer.exit(literal, operands),
    })
    this.explainer = new Explainer()
    this.explaining.begin().document(test.path)
    return this.explainer
      .explain(pathText(test.path))
      .flatMap(({ definitions }) => definitions)
      .filter(({ held }) => !held)
      .flatMap(({ failures }) => failures.slice(0, 1))
  }
}

const functionError = ({ location }: TestRule): RegoError =>
  new RegoError('rego_type_error', 'a test is a rule without arguments, and this is a function', {
    location,
  })
