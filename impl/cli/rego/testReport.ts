import { fullName, type TestResult } from 'polgate-rego/test/runTests.ts'
import type { TestCase } from 'polgate-rego/test/testCases.ts'
import { colours } from '../colours.ts'
import { print, stdoutTarget } from '../print.ts'
import { failureLines } from './explanation.ts'

/** What the report of tests on a terminal shows. */
export type ReportOptions = { readonly verbose?: boolean | undefined }

/** The results of tests as text in the format of OPA, with why a test failed. */
export class TestReport {
  private readonly verbose: boolean
  private readonly write: (line: string) => void
  private readonly colours = colours(stdoutTarget())
  private file: string | undefined

  constructor({ verbose = false }: ReportOptions, write: (line: string) => void = print) {
    this.verbose = verbose
    this.write = write
  }

  result(result: TestResult): void {
    if (!this.verbose && result.status === 'pass' && result.output.length === 0) return
    const { bold, dim } = this.colours
    const { file } = result.test.location
    if (file !== this.file) this.write(bold(`${file}:`))
    this.file = file
    const time = result.status === 'skip' ? '' : dim(` (${result.time.toFixed(2)}ms)`)
    this.write(`${fullName(result.test)}: ${this.word(result.status)}${time}`)
    this.cases(result.cases, '  ')
    for (const line of result.output) this.write(`  ${line}`)
    if (result.error !== undefined) this.write(`  ${result.error.text}`)
    for (const failure of result.failures) {
      for (const line of failureLines(failure, process.stdout, '  ')) this.write(line)
    }
  }

  private cases(cases: readonly TestCase[], indent: string): void {
    for (const { name, passed, cases: inner } of cases) {
      if (!this.verbose && passed) continue
      this.write(`${indent}${name}: ${this.word(passed ? 'pass' : 'fail')}`)
      this.cases(inner, `${indent}  `)
    }
  }

  /** How many tests passed, failed, and so on. */
  end(results: readonly TestResult[]): void {
    if (this.file !== undefined) this.write('-'.repeat(80))
    for (const status of ['pass', 'fail', 'skip', 'error'] as const) {
      const count = results.filter((each) => each.status === status).length
      if (count > 0) this.write(`${this.word(status)}: ${count}/${results.length}`)
    }
  }

  private word(status: TestResult['status']): string {
    const { green, red, yellow } = this.colours
    const words = {
      pass: green('PASS'),
      fail: red('FAIL'),
      error: red('ERROR'),
      skip: yellow('SKIPPED'),
    }
    return words[status]
  }
}

/** A result in the format of `opa test --format json`, with its failures; the duration is in nanoseconds. */
export function resultJson(result: TestResult): string {
  const { test, status, time, output, error, failures, cases } = result
  const { file, row, col } = test.location
  return JSON.stringify({
    location: { file, row, col },
    package: test.package,
    name: test.name,
    ...(status === 'fail' ? { fail: true } : {}),
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message, location: error.location } }),
    ...(status === 'skip' ? { skip: true } : {}),
    duration: Math.round(time * 1e6),
    ...(output.length === 0
      ? {}
      : { output: Buffer.from(`${output.join('\n')}\n`).toString('base64') }),
    ...(cases.length === 0 ? {} : { sub_results: subResults(cases) }),
    ...(failures.length === 0
      ? {}
      : { failures: failures.map(({ text, location }) => ({ text, ...placeOf(location) })) }),
  })
}

const placeOf = ({ file, row, col }: TestResult['test']['location']) => ({ file, row, col })

const subResults = (cases: readonly TestCase[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    cases.map(({ name, passed, cases: inner }) => [
      name,
      {
        name,
        ...(passed ? {} : { fail: true }),
        ...(inner.length === 0 ? {} : { sub_results: subResults(inner) }),
      },
    ]),
  )
