import { errorText } from 'polgate-lib/errors/errorText.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import { createEngine, type Engine, type Row } from 'polgate-rego/engine.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import type { Tracer } from 'polgate-rego/evaluate/tracer.ts'
import { errorsJson, indentJson } from 'polgate-rego/report/answer.ts'
import { Coverage, type CoverageReport } from 'polgate-rego/report/coverage.ts'
import { Explainer } from 'polgate-rego/report/explain.ts'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { Profile } from 'polgate-rego/report/profile.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { opaRuntime } from '../opa/opaRuntime.ts'
import { print } from '../print.ts'
import { type AnswerFormat, answerText } from './answerText.ts'
import { type ChosenCapabilities, chosenCapabilities } from './chosenCapabilities.ts'
import { documentNames } from './documentNames.ts'
import { readDocument } from './documents.ts'
import { explanationLines } from './explanation.ts'
import { readText } from './files.ts'
import { loadFiles, type PolicyFiles } from './loadFiles.ts'
import { readStdin } from './stdin.ts'
import { coverageTable, coverageValue, profileTable, profileValue } from './tables.ts'
import { type UsedCapabilities, usedCapabilities } from './usedCapabilities.ts'
import { warnOfMissing } from './warnOfMissing.ts'
import { untilInterrupted, watchFiles } from './watch.ts'

/** Combines several tracers into one. */
function combined(tracers: readonly Tracer[]): Tracer | undefined {
  const [first] = tracers
  if (first === undefined || tracers.length === 1) return first
  return {
    enterRule: (rule, branch) => {
      for (const each of tracers) each.enterRule?.(rule, branch)
    },
    exitRule: (rule, branch, value) => {
      for (const each of tracers) each.exitRule?.(rule, branch, value)
    },
    enter: (literal) => {
      for (const each of tracers) each.enter?.(literal)
    },
    pass: (literal) => {
      for (const each of tracers) each.pass?.(literal)
    },
    exit: (literal, operands) => {
      for (const each of tracers) each.exit?.(literal, operands)
    },
  }
}

export type EvalOptions = {
  readonly data: readonly string[]
  readonly input?: string
  readonly inputJson?: string
  readonly nonStrict?: boolean
  readonly capabilities: string
  readonly format: AnswerFormat
  readonly profile?: boolean
  readonly coverage?: boolean
  readonly threshold?: number
  readonly explain?: boolean
  readonly fail?: boolean
  readonly timeout: number
  readonly ignore: readonly string[]
  readonly watch?: boolean
} & Partial<OpaEvalOptions>

/** What only `polgate opa eval` has. */
export type OpaEvalOptions = {
  readonly bundle: readonly string[]
  /** Whether to read hidden files too. */
  readonly hidden: boolean
  /** Exit codes are those of OPA: a result that is false is defined. */
  readonly failUndefined: boolean
  readonly failDefined: boolean
  readonly strictNames: boolean
  readonly count: number
  readonly schema: string
  /** The package and the imports of the query. */
  readonly header: string
}

/** `polgate regorus eval`: sets `process.exitCode` to 0, 1 (`--fail`, `--threshold`) or 2. */
export async function evalCommand(query: string, options: EvalOptions): Promise<void> {
  if (options.watch !== true) {
    await evaluateOnce(query, options)
    return
  }
  if (options.input === '-')
    throw new CommandError('--watch cannot read the input from stdin', {
      hint: 'Pass a file with --input.',
    })
  const { dim } = colours(process.stderr)
  await watchFiles(async () => {
    const files = await evaluateOnce(query, options).catch((error) => {
      // A partly written or missing file is read again when it changes.
      if (!(error instanceof CommandError)) throw error
      console.error(errorText(error))
      return undefined
    })
    console.error(dim('waiting for changes, Ctrl-C to stop'))
    return [...(files ?? options.data), ...(options.input === undefined ? [] : [options.input])]
  }, untilInterrupted())
  process.exitCode = 0
}

/** Evaluates once; returns the files that were read. */
async function evaluateOnce(query: string, options: EvalOptions): Promise<readonly string[]> {
  const chosen = chosenCapabilities(options.capabilities)
  const { profile } = chosen
  const files = await loadFiles(options.data, { ...options, bundles: options.bundle ?? [] })
  const input = await readInput(options)
  const used = await usedCapabilities([query, ...files.modules.map(({ source }) => source)])
  process.exitCode = 0
  try {
    await checkFiles(files, options)
    for (let i = 0; i < (options.count ?? 1); i++)
      evaluate(query, { files, input, chosen, used, options, isShown: i === 0 })
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    process.exitCode = 2
    if (options.format === 'json') print(errorsJson([error]))
    const [{ showError }, { capabilitiesOf }] = await Promise.all([
      import('./terminal.ts'),
      import('./capabilities.ts'),
    ])
    showError(error, {
      modules: files.modules,
      query,
      capabilities: chosen.of(capabilitiesOf(profile)),
    })
  }
  return files.files
}

async function readInput({ input, inputJson }: EvalOptions): Promise<Value | undefined> {
  if (input !== undefined && inputJson !== undefined) {
    throw new CommandError('--input and --input-json exclude each other', {
      hint: 'Leave one of them out.',
    })
  }
  if (inputJson !== undefined) return readDocument('--input-json', inputJson)
  if (input === undefined) return undefined
  return readDocument(input, input === '-' ? String(await readStdin()) : readText(input))
}

type Evaluation = {
  readonly files: PolicyFiles
  readonly input: Value | undefined
  readonly chosen: ChosenCapabilities
  readonly used: UsedCapabilities
  readonly options: EvalOptions
  /** Whether to print the result: of the first of several evaluations. */
  readonly isShown: boolean
}

/** @throws RegoError for the names and types that `--strict` and `--schema` refuse */
async function checkFiles(files: PolicyFiles, options: EvalOptions): Promise<void> {
  const { strictNames: strict, schema } = options
  if (strict !== true && schema === undefined) return
  const { checkedFiles } = await import('./checkedFiles.ts')
  const { capabilities } = options
  const own = { capabilities, maxErrors: 1, strict: strict === true }
  const checked = await checkedFiles(files, schema === undefined ? own : { ...own, schema })
  const [first] = checked.errors
  if (first !== undefined) throw first
}

function evaluate(query: string, evaluation: Evaluation): void {
  const { files, input, used, options, chosen } = evaluation
  const clock = (): number => performance.now()
  const coverage =
    options.coverage === true || options.threshold !== undefined ? new Coverage() : undefined
  const profile = options.profile === true ? new Profile(clock) : undefined
  const explainer = options.explain === true ? new Explainer() : undefined
  const tracer = combined([coverage, profile, explainer].filter((each) => each !== undefined))
  const engine = createEngine({
    modules: files.modules,
    data: files.data,
    builtins: chosen.of(used[chosen.profile]),
    dialect: dialectOf(chosen.profile),
    strict: options.nonStrict !== true,
    limits: { deadlineMs: options.timeout },
    print: (line) => console.error(line),
    ...(options.hidden === true ? opaRuntime(chosen.profile) : {}),
    ...(tracer === undefined ? {} : { tracer }),
  })
  if (chosen.profile === 'opa-1.2') warnOfMissing(engine.modules, used)
  const rows = engine.prepare(query, options.header).evaluate(input === undefined ? {} : { input })
  if (!evaluation.isShown) return
  if (rows.length === 0) warnOfName(engine, query)
  const isOpa = options.hidden === true
  const report = isOpa ? coverage?.wholeReport(engine.modules) : coverage?.report(engine.modules)
  if (options.format === 'pretty') {
    for (const line of prettyRows(rows)) print(line)
    if (profile !== undefined) show(profileTable(profile.lines()))
    if (report !== undefined) show(coverageTable(report))
  } else {
    const text = answerText(options.format, rows, {
      ...(profile === undefined ? {} : { profile: profileValue(profile.lines()) }),
      ...(report === undefined ? {} : { coverage: coverageValue(report) }),
    })
    if (text !== '') print(text)
  }
  if (explainer !== undefined) explainTo(explainer, query, options)
  if (options.fail === true && !holds(rows)) process.exitCode = 1
  if (options.failUndefined === true && rows.length === 0) process.exitCode = 1
  if (options.failDefined === true && rows.length > 0) process.exitCode = 1
  if (report !== undefined) checkThreshold(report, options.threshold)
}

function show(lines: readonly string[]): void {
  print(`\n${lines.join('\n')}`)
}

function checkThreshold(report: CoverageReport, threshold: number | undefined): void {
  if (threshold === undefined || report.percent >= threshold) return
  console.error(`error: ${report.percent} % of the lines are covered, ${threshold} % are required`)
  process.exitCode = 1
}

/** Whether some row has only expressions that are neither undefined nor false. */
const holds = (rows: readonly Row[]): boolean =>
  rows.some(({ expressions }) => expressions.every(({ value }) => value !== false))

/** Names of documents in a query. */
const namesIn = (query: string): readonly string[] => [
  ...new Set(query.match(/\bdata(?:\.[A-Za-z_]\w*)+/g)),
]

/** Warns if a reference is undefined because no rule has its name. */
function warnOfName(engine: Engine, query: string): void {
  const [name] = namesIn(query)
  if (name === undefined || name !== query.trim() || engine.hasRule(name)) return
  const near = nearest(name, documentNames(engine.modules))
  if (near === undefined) return
  const { yellow } = colours(process.stderr)
  console.error(`${yellow('warning:')} unknown rule ${name}; did you mean ${near}?`)
}

/** Prints the explanation; on stderr if stdout contains JSON. */
function explainTo(explainer: Explainer, query: string, { format }: EvalOptions): void {
  const stream = format === 'pretty' ? process.stdout : process.stderr
  for (const name of namesIn(query)) {
    const lines = explanationLines(explainer.explain(name), stream)
    stream.write(`${lines.length === 0 ? `${name}: no rule was evaluated` : lines.join('\n')}\n`)
  }
}

function prettyRows(rows: readonly Row[]): string[] {
  if (rows.length === 0) return ['undefined']
  return rows.flatMap(({ bindings, expressions }) => {
    if (bindings.size === 0) return expressions.map(({ value }) => indentJson(stringify(value)))
    return [...bindings].map(([name, value]) => `${name} = ${indentJson(stringify(value))}`)
  })
}
