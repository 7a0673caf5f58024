import { errorText } from 'polgate-lib/errors/errorText.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { errorsJson, indentJson } from 'polgate-rego/report/answer.ts'
import { Coverage, type CoverageReport, rowRanges } from 'polgate-rego/report/coverage.ts'
import { fullName, runTests, type TestResult, type TestRun } from 'polgate-rego/test/runTests.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { opaRuntime } from '../opa/opaRuntime.ts'
import { print } from '../print.ts'
import { type ChosenCapabilities, chosenCapabilities } from './chosenCapabilities.ts'
import { loadFiles, type PolicyFiles } from './loadFiles.ts'
import { coverageValue, coveredShare } from './tables.ts'
import { resultJson, TestReport } from './testReport.ts'
import { type UsedCapabilities, usedCapabilities } from './usedCapabilities.ts'
import { warnOfMissing } from './warnOfMissing.ts'
import { untilInterrupted, watchFiles } from './watch.ts'

export type TestCommandOptions = {
  readonly verbose?: boolean
  readonly run?: string
  readonly format: 'json' | 'pretty' | 'gobench'
  readonly capabilities: string
  readonly coverage?: boolean
  readonly threshold?: number
  readonly timeout: number
  readonly ignore: readonly string[]
  readonly watch?: boolean
  readonly bundle?: boolean
  readonly bench?: boolean
  readonly count: number
  readonly maxErrors: number
  readonly exitZeroOnSkipped?: boolean
  readonly varValues?: boolean
  readonly explain?: string
  readonly schema?: string
}

/** Exit codes of OPA; but no test at all is a failure here. */
const FAILED = 2
const COULD_NOT_RUN = 1

/** `polgate opa test`: sets `process.exitCode` to 0, 2 (something did not pass) or 1 (could not run). */
export async function testCommand(
  paths: readonly string[],
  options: TestCommandOptions,
): Promise<void> {
  if (options.bench === true && isCovered(options)) {
    throw new CommandError('--bench does not go with --coverage', {
      hint: 'Leave one of them out.',
    })
  }
  if (options.format === 'gobench' && options.bench !== true) {
    throw new CommandError('--format gobench is for --bench', {
      hint: 'Add --bench, or choose another format.',
    })
  }
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

const isCovered = ({ coverage, threshold = 0 }: TestCommandOptions): boolean =>
  coverage === true || threshold > 0

async function testOnce(
  paths: readonly string[],
  options: TestCommandOptions,
): Promise<readonly string[]> {
  const chosen = chosenCapabilities(options.capabilities)
  const run = options.run === undefined ? undefined : pattern(options.run)
  const skipping = { ignore: options.ignore, hidden: true }
  const files = await loadFiles(
    options.bundle === true ? [] : paths,
    options.bundle === true ? { ...skipping, bundles: paths } : skipping,
  )
  const used = await usedCapabilities(files.modules.map(({ source }) => source))
  process.exitCode = 0
  try {
    if (options.schema !== undefined) await checkTypes(files, options)
    const suite = { files, chosen, used, options, run }
    for (let i = 0; i < options.count && process.exitCode === 0; i++) await test(suite)
    if (files.modules.some(({ source }) => NEGATED_EXPRESSION.test(source))) {
      const { warnOf } = await import('./lintWarnings.ts')
      const { undefinedNegation } = await import('polgate-rego/lint/rules/undefinedNegation.ts')
      const dialect = dialectOf(chosen.profile)
      warnOf(undefinedNegation, files.modules, {
        builtins: chosen.of(used[chosen.profile]),
        dialect,
      })
    }
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    process.exitCode = COULD_NOT_RUN
    if (options.format === 'json') print(errorsJson([error]))
    await showCompileErrors(error, files, options)
  }
  return files.files
}

/** `not` before more than a reference: only then lint is worth its time. */
const NEGATED_EXPRESSION = /\bnot\b(?!\s*[\w.]+\b\s*?(?:$|[#}]|with\b))/m

function pattern(text: string): RegExp {
  try {
    const [, flags = '', rest = text] = /^\(\?([ims]+)\)(.*)$/s.exec(text) ?? []
    return new RegExp(rest, flags)
  } catch (cause) {
    throw new CommandError(`--run: ${(cause as Error).message}`, {
      hint: 'Pass a regular expression, such as test_allow.',
      cause,
    })
  }
}

/** @throws RegoError the first error, with the types of JSON schemas */
async function checkTypes(files: PolicyFiles, options: TestCommandOptions): Promise<void> {
  const { checkedFiles } = await import('./checkedFiles.ts')
  const [first] = (await checkedFiles(files, options)).errors
  if (first !== undefined) throw first
}

async function showCompileErrors(
  error: RegoError,
  files: PolicyFiles,
  options: TestCommandOptions,
): Promise<void> {
  const [{ checkedFiles }, { showErrors }] = await Promise.all([
    import('./checkedFiles.ts'),
    import('./terminal.ts'),
  ])
  const { errors, capabilities } = await checkedFiles(files, options)
  const { modules } = files
  showErrors(errors.length === 0 ? [error] : errors, { modules, capabilities }, process.stderr)
}

type Suite = {
  readonly files: PolicyFiles
  readonly chosen: ChosenCapabilities
  readonly used: UsedCapabilities
  readonly options: TestCommandOptions
  readonly run: RegExp | undefined
}

/** Runs and reports the tests, and sets the exit code. */
async function test({ files, chosen, used, options, run }: Suite): Promise<void> {
  const coverage = isCovered(options) ? new Coverage() : undefined
  // With coverage, stdout has its report alone.
  const report = new TestReport(options, coverage === undefined ? print : console.error)
  const isText = options.format !== 'json' && options.bench !== true
  const ran = runTests({
    modules: files.modules,
    data: files.data,
    builtins: chosen.of(used[chosen.profile]),
    dialect: dialectOf(chosen.profile),
    limits: { deadlineMs: options.timeout },
    clock: () => performance.now(),
    ...opaRuntime(chosen.profile),
    ...(run === undefined ? {} : { run }),
    ...(coverage === undefined ? {} : { tracer: coverage }),
    ...(options.bench === true ? { benchMs: BENCH_MS } : {}),
    onResult: (result) => {
      const isShown = coverage === undefined || result.status !== 'pass'
      if (isText && isShown) report.result(result)
    },
  })
  if (chosen.profile === 'opa-1.2') warnOfMissing(ran.modules, used)
  const { results } = ran
  warnOfOthers(ran)
  if (results.length === 0) {
    process.exitCode = FAILED
    const hint =
      run === undefined
        ? 'Tests are rules whose names start with test_.'
        : 'No test name matches --run.'
    console.error(errorText(new CommandError('No tests found', { hint })))
    return
  }
  if (results.some((each) => isBad(each, options))) process.exitCode = FAILED
  if (coverage !== undefined) {
    // As in OPA: without a report if something did not pass, -z or not.
    if (results.some(({ status }) => status !== 'pass')) process.exitCode = COULD_NOT_RUN
    else reportCoverage(coverage.wholeReport(ran.modules), options)
  } else if (options.bench === true) await printBenchmarks(results, options)
  else if (isText) report.end(results)
  else print(indentJson(`[${results.map(resultJson).join()}]`))
}

const BENCH_MS = 500

const isBad = ({ status }: TestResult, { exitZeroOnSkipped }: TestCommandOptions): boolean =>
  status !== 'pass' && !(status === 'skip' && exitZeroOnSkipped === true)

async function printBenchmarks(
  results: readonly TestResult[],
  options: TestCommandOptions,
): Promise<void> {
  const { benchmarkLine } = await import('./benchmarks.ts')
  if (options.format === 'json') print(indentJson(`[${results.map(resultJson).join()}]`))
  else for (const result of results) print(benchmarkLine(result, options.format === 'gobench'))
}

/** What looks like a test and is not run, and tests that pass because they have no cases. */
function warnOfOthers({ near, results }: TestRun): void {
  const { yellow, dim } = colours(process.stderr)
  const warn = (text: string, { file, row, col }: TestRun['near'][number]['location']): void =>
    console.error(`${yellow('warning:')} ${text} ${dim(`${file}:${row}:${col}`)}`)
  for (const { name, location } of near)
    warn(`${name} looks like a test and is not run: names of tests start with test_`, location)
  for (const { test: each, status, cases } of results) {
    if (each.rest.length > 0 && status === 'pass' && cases.length === 0)
      warn(`${fullName(each)} passes because it has no cases`, each.location)
  }
}

function reportCoverage(report: CoverageReport, { threshold = 0, verbose }: TestCommandOptions) {
  const share = coveredShare(
    report.files.reduce((sum, { covered }) => sum + covered.length, 0),
    report.files.reduce((sum, { notCovered }) => sum + notCovered.length, 0),
  )
  if (share >= threshold) {
    print(indentJson(stringify(coverageValue(report))))
    return
  }
  process.exitCode = FAILED
  console.error(
    `Code coverage threshold not met: got ${share.toFixed(2)} instead of ${threshold.toFixed(2)}`,
  )
  if (verbose !== true) return
  for (const { file, notCovered } of report.files)
    if (notCovered.length > 0) console.error(`\t${file}:${rowRanges(notCovered)}`)
}
