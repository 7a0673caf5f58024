import { createEngine, type Engine, type EngineOptions, type ModuleSource } from '../engine.ts'
import { RegoError } from '../errors.ts'
import type { Tracer } from '../evaluate/tracer.ts'
import { Explainer, type Failure } from '../report/explain.ts'
import type { Module } from '../syntax/ast.ts'
import { display } from '../values/display.ts'
import { isArray, isObject, isSet, type Value } from '../values/value.ts'
import { discoverTests, type TestRule } from './discover.ts'

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
  readonly cases: readonly { readonly name: string; readonly passed: boolean }[]
}

export type TestOptions = Omit<EngineOptions, 'clock'> & {
  /** Runs only tests whose full name (`data.pkg.test_x`) matches. */
  readonly run?: RegExp
  /** Monotonic milliseconds, for the durations of tests. */
  readonly clock: () => number
  readonly onResult?: (result: TestResult) => void
}

export type TestRun = {
  readonly modules: readonly Module[]
  readonly results: readonly TestResult[]
}

/**
 * Runs the tests of a set of modules, each in a separate evaluation. A test passes if its rule is
 * true; an undefined or false rule fails, and so does any other value.
 *
 * @throws RegoError if the modules do not compile
 */
export function runTests(options: TestOptions): TestRun {
  const { modules, onResult } = options
  const engine = engineOf(options, modules, options.tracer)
  const results: TestResult[] = []
  for (const test of discoverTests(engine.modules)) {
    if (options.run !== undefined && !options.run.test(fullName(test))) continue
    const result = test.todo ? skipped(test) : runOne(engine, test, options)
    results.push(result)
    onResult?.(result)
  }
  return { modules: engine.modules, results }
}

export const fullName = (test: TestRule): string => `${test.package}.${test.name}`

function engineOf(
  options: TestOptions,
  modules: readonly ModuleSource[],
  tracer: Tracer | undefined,
): Engine {
  const { tracer: _, clock: __, run: ___, onResult: ____, ...given } = options
  return createEngine({
    ...given,
    ...(tracer === undefined ? {} : { tracer }),
    modules,
    strict: options.strict ?? false,
  })
}

const skipped = (test: TestRule): TestResult => ({
  test,
  status: 'skip',
  time: 0,
  output: [],
  error: undefined,
  failures: [],
  cases: [],
})

function runOne(engine: Engine, test: TestRule, options: TestOptions): TestResult {
  const output: string[] = []
  const start = options.clock()
  const base = { ...skipped(test), output }
  try {
    const print = (line: string): void => {
      output.push(line)
    }
    const value = engine.evaluateRule(fullName(test), { print })
    const time = options.clock() - start
    const cases = casesOf(test, value, options)
    const passed = cases.length > 0 ? cases.every((each) => each.passed) : value === true
    const failures = passed ? [] : explained(test, options)
    return { ...base, status: passed ? 'pass' : 'fail', time, failures, cases }
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    return { ...base, status: 'error', time: options.clock() - start, error }
  }
}

/** The cases of a parameterized test, including failed ones. */
function casesOf(
  test: TestRule,
  value: Value | undefined,
  options: TestOptions,
): { readonly name: string; readonly passed: boolean }[] {
  if (test.cases === undefined) return []
  const { rule, source } = test.cases
  const engine = engineOf(
    options,
    [...options.modules, { name: `${test.location.file} (cases)`, source }],
    undefined,
  )
  const all = engine.evaluateRule(`${test.package}.${rule}`)
  if (all === undefined || !isSet(all)) return []
  return all.values().map((path) => {
    const parts = isArray(path) ? path : [path]
    const name = parts.map((part) => (typeof part === 'string' ? part : display(part))).join('/')
    return { name, passed: memberAt(value, parts) === true }
  })
}

const memberAt = (value: Value | undefined, path: readonly Value[]): Value | undefined =>
  path.reduce<Value | undefined>(
    (at, key) => (at !== undefined && isObject(at) ? at.get(key) : undefined),
    value,
  )

/** Evaluates a failed test again to explain the failure. */
function explained(test: TestRule, options: TestOptions): readonly Failure[] {
  const explainer = new Explainer()
  engineOf(options, options.modules, explainer).evaluateRule(fullName(test))
  return explainer
    .explain(fullName(test))
    .flatMap(({ definitions }) => definitions)
    .filter(({ held }) => !held)
    .flatMap(({ failures }) => failures.slice(0, 1))
}
