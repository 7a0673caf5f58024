import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import { explainRule } from 'polgate-rego/lint/explainRule.ts'
import { type LintFinding, lintModules } from 'polgate-rego/lint/lintModules.ts'
import { LINT_RULES, ruleOf } from 'polgate-rego/lint/rules.ts'
import { sarif } from 'polgate-rego/lint/sarif.ts'
import { indentJson } from 'polgate-rego/report/answer.ts'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { isObject, type Value } from 'polgate-rego/values/value.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { capabilitiesOf } from './capabilities.ts'
import { readDocument } from './documents.ts'
import { readText } from './files.ts'
import { policySources, STDIN } from './policySources.ts'
import { showErrors } from './terminal.ts'

export type LintCommandOptions = {
  readonly rule: readonly string[]
  readonly disable: readonly string[]
  readonly params?: string
  readonly capabilities: string
  readonly json?: boolean
  readonly sarif?: boolean
  readonly explain?: string
  readonly listRules?: boolean
  readonly ignore: readonly string[]
}

/**
 * `polgate rego lint`: sets `process.exitCode` to 0, 1 (findings) or 2 (the policies have errors).
 *
 * @throws CommandError for an unknown rule, and policies or parameters that cannot be read
 */
export async function lintCommand(
  paths: readonly string[],
  options: LintCommandOptions,
): Promise<void> {
  process.exitCode = 0
  if (options.explain !== undefined) {
    process.stdout.write(
      wrapText(explainRule(knownRule(options.explain)), outputWidth(process.stdout)),
    )
    return
  }
  if (options.listRules === true) {
    const lines = LINT_RULES.map(({ id, title }) => `${id.padEnd(24)}${title}`).join('\n')
    console.log(wrapText(lines, outputWidth(process.stdout)))
    return
  }
  await lint(paths, options)
}

async function lint(paths: readonly string[], options: LintCommandOptions): Promise<void> {
  if (paths.length === 0) {
    throw new CommandError('No policy to search', {
      hint: 'Pass policies and their tests: files, directories, or - for stdin.',
    })
  }
  if (options.json === true && options.sarif === true) {
    throw new CommandError('--json and --sarif exclude each other', {
      hint: 'Leave one of them out.',
    })
  }
  const disabled = options.disable.map((id) => knownRule(id).id)
  const only = options.rule.map((id) => knownRule(id).id)
  const rules = (only.length === 0 ? LINT_RULES.map(({ id }) => id) : only).filter(
    (id) => !disabled.includes(id),
  )
  if (rules.length === 0) {
    throw new CommandError('--disable leaves no rule of --rule', {
      hint: 'A run without rules finds nothing, whatever the policies are.',
    })
  }
  const builtins = capabilitiesOf(options.capabilities)
  const dialect = dialectOf(options.capabilities)
  const params = options.params === undefined ? [] : await paramsIn(options.params)
  const sources = await policySources(paths, options)
  const { errors, modules } = checkModules({ modules: sources, builtins, dialect })
  if (errors.length > 0) {
    showErrors(
      errors.map(({ error }) => error),
      { modules: sources, capabilities: builtins },
      process.stderr,
    )
    throw new CommandError('The policies have errors, so that lint cannot read them', {
      hint: 'polgate rego check shows them. Policies that conflict are searched one at a time.',
    })
  }
  const findings = lintModules({ modules, builtins, dialect, rules, params })
  if (findings.length > 0) process.exitCode = 1
  if (options.json === true) console.log(json(findings, sources.length))
  else if (options.sarif === true) console.log(JSON.stringify(sarifOf(findings), undefined, 2))
  else show(findings, sources.length)
}

/** @throws CommandError for an unknown rule */
function knownRule(id: string) {
  const rule = ruleOf(id)
  if (rule !== undefined) return rule
  const ids = LINT_RULES.map((each) => each.id)
  const near = nearest(id, ids)
  throw new CommandError(`Unknown lint rule ${id}`, {
    hint: near === undefined ? `Rules are ${ids.join(', ')}.` : `Did you mean ${near}?`,
  })
}

/** The paths of the parameters in a file. */
async function paramsIn(file: string): Promise<readonly (readonly string[])[]> {
  const value = await readDocument(file, readText(file))
  if (!isObject(value)) {
    throw new CommandError(`${file}: parameters must be an object`, {
      hint: 'Pass the file of the policy’s parameters, as in {"max_value": 100}.',
    })
  }
  return leaves(value, [])
}

const leaves = (value: Value, path: readonly string[]): readonly (readonly string[])[] =>
  isObject(value) && value.size > 0
    ? value.entries().flatMap(([key, each]) => leaves(each, [...path, String(key)]))
    : path.length === 0
      ? []
      : [path]

const sarifOf = (findings: readonly LintFinding[]) =>
  sarif(findings, {
    version: packageVersion,
    uri: (file) => (file === STDIN ? STDIN : pathToFileURL(resolve(file)).href),
  })

const json = (findings: readonly LintFinding[], files: number): string =>
  indentJson(
    JSON.stringify({
      files,
      findings: findings.map(({ rule, message, help, place }) => ({
        rule,
        message,
        help,
        ...(place === undefined ? {} : { location: place }),
      })),
    }),
  )

function show(findings: readonly LintFinding[], count: number): void {
  const { bold, dim, cyan } = colours(process.stdout)
  const width = outputWidth(process.stdout)
  for (const { rule, message, help, place } of findings) {
    const at = place === undefined ? 'parameters' : `${place.file}:${place.row}:${place.col}`
    const lines = [`${bold(rule)} ${dim(at)}`, `  ${message}`, `  ${cyan('help:')} ${help}`]
    console.log(`${wrapText(lines.join('\n'), width)}\n`)
  }
  const files = counted(count, 'file')
  if (findings.length === 0) {
    console.log(`${files} searched: no findings`)
    return
  }
  const [first] = findings
  const more = `polgate rego lint --explain ${ruleOf(first?.rule ?? '')?.id ?? LINT_RULES[0]?.id}`
  const text = `${files} searched: ${counted(findings.length, 'finding')}; ${more} says why`
  console.log(wrapText(text, width))
}
