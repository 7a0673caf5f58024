import { errorText } from 'polgate-lib/errors/errorText.ts'
import type { ProfileName } from 'polgate-rego/builtins/profiles.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { errorsJson, indentJson } from 'polgate-rego/report/answer.ts'
import { Coverage, type CoverageReport } from 'polgate-rego/report/coverage.ts'
import type { Module, Rule } from 'polgate-rego/syntax/ast.ts'
import { fullName, runTests, type TestResult } from 'polgate-rego/test/runTests.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { print, stdoutTarget } from '../print.ts'
import { failureLines } from './explanation.ts'
import { loadFiles, type PolicyFiles } from './loadFiles.ts'
import { profileOf } from './profileOf.ts'
import { coverageTable, coverageValue } from './tables.ts'
import { type UsedCapabilities, usedCapabilities } from './usedCapabilities.ts'
import { warnOfMissing } from './warnOfMissing.ts'
import { untilInterrupted, watchFiles } from './watch.ts'

export type TestCommandOptions = {
  readonly verbose?: boolean
  readonly run?: string
  readonly format: 'json' | 'pretty'
  readonly capabilities: string
  readonly coverage?: boolean
  readonly threshold?: number
  readonly timeout: number
  readonly ignore: readonly string[]
  readonly watch?: boolean
}

/** `polgate opa test`: sets `process.exitCode` to 0 (all passed), 1 (failure) or 2 (could not run). */
export async function testCommand(
  paths: readonly string[],
  options: TestCommandOptions,
): Promise<void> {
  if (options.watch !== true) {
    await testOnce(paths, options)
    return
  }
  const { dim } = colours(process.stderr)
  await watchFiles(async () => {
    const files = await testOnce(paths, options).catch((error) => {
      // A partly written or missing file is read again when it changes.
      if (!(error instanceof CommandError)) throw error
      console.error(errorText(error))
      return undefined
    })
    console.error(dim('waiting for changes, Ctrl-C to stop'))
    return files ?? paths
  }, untilInterrupted())
  process.exitCode = 0
}

async function testOnce(
  paths: readonly string[],
  options: TestCommandOptions,
): Promise<readonly string[]> {
  const profile = profileOf(options.capabilities)
  const run = options.run === undefined ? undefined : pattern(options.run)
  const files = await loadFiles(paths, options.ignore)
  const used = await usedCapabilities(files.modules.map(({ source }) => source))
  process.exitCode = 0
  try {
    const context = { files, profile, used, options, run }
    const count = test(context)
    if (count > 0 && files.modules.some(({ source }) => NEGATED_EXPRESSION.test(source))) {
      const { warnOfNegations } = await import('./negationWarnings.ts')
      warnOfNegations(files.modules, used[profile])
    }
    if (count === 0) {
      const hint =
        run === undefined
          ? 'Tests are rules whose names start with test_.'
          : 'No test name matches --run.'
      throw new CommandError('No tests found', { hint })
    }
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    process.exitCode = 2
    if (options.format === 'json') print(errorsJson([error]))
    const [{ showError }, { capabilitiesOf }] = await Promise.all([
      import('./terminal.ts'),
      import('./capabilities.ts'),
    ])
    showError(error, { modules: files.modules, capabilities: capabilitiesOf(profile) })
  }
  return files.files
}

/** `not` before more than a reference: only then lint is worth its time. */
const NEGATED_EXPRESSION = /\bnot\b(?!\s*[\w.]+\s*?(?:$|[#}]|with\b))/m

function pattern(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch (cause) {
    throw new CommandError(`--run: ${(cause as Error).message}`, { cause })
  }
}

type Context = {
  readonly files: PolicyFiles
  readonly profile: ProfileName
  readonly used: UsedCapabilities
  readonly options: TestCommandOptions
  readonly run: RegExp | undefined
}

/** Runs and reports the tests; returns their number. */
function test({ files, profile, used, options, run }: Context): number {
  const coverage =
    options.coverage === true || options.threshold !== undefined ? new Coverage() : undefined
  const printer = new Printer(options)
  const { modules, results } = runTests({
    modules: files.modules,
    data: files.data,
    builtins: used[profile],
    dialect: dialectOf(options.capabilities),
    limits: { deadlineMs: options.timeout },
    clock: () => performance.now(),
    ...(run === undefined ? {} : { run }),
    ...(coverage === undefined ? {} : { tracer: coverage }),
    onResult: (result) => printer.result(result),
  })
  if (profile !== 'service') warnOfMissing(modules, used)
  // Coverage is measured for policies, not for the tests themselves.
  const report = coverage?.report(modules.filter(isPolicy), isNoTest)
  printer.end(results, report)
  if (results.some(({ status }) => status === 'fail' || status === 'error')) process.exitCode = 1
  if (
    report !== undefined &&
    options.threshold !== undefined &&
    report.percent < options.threshold
  ) {
    const required = `${options.threshold} % are required`
    console.error(`error: ${report.percent} % of the lines are covered, ${required}`)
    process.exitCode = 1
  }
  return results.length
}

const isPolicy = (module: Module): boolean => !module.package.path.span.text.endsWith('_test')

const isNoTest = ({ head }: Rule): boolean =>
  head.ref.head.kind !== 'var' || !/^(todo_)?test_/.test(head.ref.head.name)

/** Prints results as they arrive, in the format of OPA. */
class Printer {
  private readonly options: TestCommandOptions
  private readonly colours = colours(stdoutTarget())
  private file: string | undefined

  constructor(options: TestCommandOptions) {
    this.options = options
  }

  result(result: TestResult): void {
    const { verbose, format } = this.options
    if (format === 'json') return
    const quiet = result.status === 'pass' && result.output.length === 0
    if (verbose !== true && quiet) return
    const { bold, dim } = this.colours
    const { file } = result.test.location
    if (file !== this.file) print(bold(`${file}:`))
    this.file = file
    const time = result.status === 'skip' ? '' : dim(` (${result.time.toFixed(2)}ms)`)
    print(`${fullName(result.test)}: ${this.status(result)}${time}`)
    for (const line of result.output) print(`  ${line}`)
    for (const { name, passed } of result.cases) {
      if (verbose === true || !passed) print(`  ${name}: ${this.word(passed ? 'pass' : 'fail')}`)
    }
    if (result.error !== undefined) print(`  ${result.error.text}`)
    for (const failure of result.failures) {
      for (const line of failureLines(failure, process.stdout, '  ')) print(line)
    }
  }

  end(results: readonly TestResult[], report: CoverageReport | undefined): void {
    if (this.options.format === 'json') {
      const tests = `[${results.map(resultJson).join()}]`
      const text =
        report === undefined
          ? tests
          : `{"tests":${tests},"coverage":${stringify(coverageValue(report))}}`
      print(indentJson(text))
      return
    }
    if (this.file !== undefined) print('-'.repeat(80))
    for (const status of ['pass', 'fail', 'error', 'skip'] as const) {
      const count = results.filter((each) => each.status === status).length
      if (count > 0) print(`${this.word(status)}: ${count}/${results.length}`)
    }
    if (report !== undefined) print(`\n${coverageTable(report).join('\n')}`)
  }

  private status(result: TestResult): string {
    return this.word(result.status)
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

/** A result in the format of `opa test --format json`; duration in nanoseconds. */
const resultJson = ({ test, status, time, output, error, failures, cases }: TestResult): string =>
  JSON.stringify({
    location: { file: test.location.file, row: test.location.row, col: test.location.col },
    package: test.package,
    name: test.name,
    duration: Math.round(time * 1e6),
    ...(status === 'fail' ? { fail: true } : {}),
    ...(status === 'skip' ? { skip: true } : {}),
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message, location: error.location } }),
    ...(output.length === 0 ? {} : { output: output.join('\n') }),
    ...(cases.length === 0
      ? {}
      : {
          sub_results: Object.fromEntries(
            cases.map(({ name, passed }) => [name, { fail: !passed }]),
          ),
        }),
    ...(failures.length === 0
      ? {}
      : {
          failed_at: failures.map(({ text, location: { file, row, col } }) => ({
            text,
            file,
            row,
            col,
          })),
        }),
  })
