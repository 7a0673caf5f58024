import { CommandError } from '../commandDefinition.ts'
import type { AnswerFormat } from '../rego/answerText.ts'
import { evalCommand } from '../rego/evalCommand.ts'
import { readStdin } from '../rego/stdin.ts'

export type OpaEvalCommandOptions = {
  readonly data: readonly string[]
  readonly bundle: readonly string[]
  readonly input?: string
  readonly stdinInput?: boolean
  readonly stdin?: boolean
  readonly package?: string
  readonly import: readonly string[]
  readonly fail?: boolean
  readonly failDefined?: boolean
  readonly strictBuiltinErrors?: boolean
  readonly strict?: boolean
  readonly coverage?: boolean
  readonly profile?: boolean
  readonly format: AnswerFormat
  readonly explain?: string
  readonly capabilities: string
  readonly ignore: readonly string[]
  readonly timeout?: number
  readonly count: number
  readonly schema?: string
}

/** Without `--timeout`, an evaluation in OPA has no deadline. */
const LONG_MS = 3_600_000

/** `polgate opa eval`: sets `process.exitCode` to 0, 1 (`--fail`, `--fail-defined`) or 2. */
export async function opaEval(
  query: string | undefined,
  options: OpaEvalCommandOptions,
): Promise<void> {
  const { stdin, stdinInput, input, fail, failDefined } = options
  if ((query === undefined) !== (stdin === true))
    throw new CommandError(
      query === undefined ? 'No query' : 'A query and --stdin exclude each other',
      {
        exitCode: 1,
        hint: 'Pass a query such as data.policy.allow, or --stdin to read it from stdin.',
      },
    )
  exclude(options, ['stdin', 'stdinInput'], ['stdinInput', 'input'], ['fail', 'failDefined'])
  const { data, bundle, capabilities, format, ignore, count, coverage, profile, schema } = options
  const { explain = 'off' } = options
  await evalCommand(query ?? String(await readStdin()), {
    ...{ data, bundle, capabilities, format, ignore, count, hidden: true },
    ...(stdinInput === true ? { input: '-' } : input === undefined ? {} : { input }),
    nonStrict: options.strictBuiltinErrors !== true,
    strictNames: options.strict === true,
    coverage: coverage === true,
    profile: profile === true,
    explain: explain !== 'off',
    failUndefined: fail === true,
    failDefined: failDefined === true,
    timeout: options.timeout || LONG_MS,
    ...(schema === undefined ? {} : { schema }),
    ...headerOf(options),
  })
}

/** A package that no policy has: imports alone bring no rules. */
const NO_PACKAGE = 'package queried["without a package"]'

function headerOf(options: OpaEvalCommandOptions): { readonly header?: string } {
  const { package: name, import: imports } = options
  if (name === undefined && imports.length === 0) return {}
  const lines = imports.map((each) => `import ${each}`)
  return { header: [name === undefined ? NO_PACKAGE : `package ${name}`, ...lines].join('\n') }
}

type Name = keyof OpaEvalCommandOptions

function exclude(
  options: OpaEvalCommandOptions,
  ...pairs: readonly (readonly [Name, Name])[]
): void {
  for (const pair of pairs) {
    if (pair.some((name) => options[name] === undefined)) continue
    const [one, other] = pair.map(
      (name) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`,
    )
    throw new CommandError(`${one} and ${other} exclude each other`, {
      exitCode: 1,
      hint: 'Leave one of them out.',
    })
  }
}
