import { type Command, Option } from 'commander'
import { type CommandDefinition, CommandError } from './commandDefinition.ts'
import { duration, likeOpa, type Refusals, withExitCode } from './opa/goOptions.ts'
import { collect, positive } from './regorus.ts'

const examples = `
Examples:
  polgate opa test policy.rego policy_test.rego -v
  polgate opa test policies --coverage --threshold 90
  polgate opa test -b policies --run 'deny' --watch
  polgate opa fmt --list --fail policies
  polgate opa check policies --strict -f json
  polgate opa eval -d policies -i intent.json -f raw data.policy.allow
  polgate opa inspect policies

The commands of OPA 1.2, with its options and exit codes: a command line of opa runs unchanged. Options that
are not supported are refused by name. test: 0 all passed, 2 something did not, was skipped (without -z), or
there are no tests, 1 could not run. check: 1 errors. fmt: 2 not formatted (--fail), or a syntax error.
eval: 2 errors, 1 undefined (--fail) or defined (--fail-defined).`

const V0 = 'policies are Rego v1 here; convert them with opa fmt --rego-v1 --write.'

const oldRego: Refusals = { '--v0-compatible': V0 }
const oldSyntax: Refusals = { ...oldRego, '--v0-v1': V0, '--rego-v1': V0 }

/** Options with no effect on the result. */
const withoutEffect = (flags: string): Option =>
  new Option(flags, 'accepted, as in OPA; no effect on the result').hideHelp()

const format = (...choices: readonly [string, ...string[]]) =>
  new Option('-f, --format <format>', 'output format').choices(choices).default(choices[0])

const wholeNumber = (name: string, least: number) => (text: string) => {
  const value = Number(text)
  return Number.isInteger(value) && value >= least ? value : positive(name, -1)(text)
}

/** Options of several commands. */
const shared = {
  bundle: new Option('-b, --bundle', 'the paths are bundles: directories or .tar.gz files'),
  capabilities: new Option(
    '--capabilities <profile|file>',
    'built-ins: opa-1.2, service, latest, or a capabilities.json',
  ).default('opa-1.2'),
  ignore: new Option('--ignore <pattern>', 'skip files and directories with this name')
    .argParser(collect)
    .default([]),
  maxErrors: new Option('-m, --max-errors <number>', 'how many errors to show; -1 for all')
    .argParser(wholeNumber('--max-errors', -1))
    .default(10),
  schema: new Option('-s, --schema <path>', 'JSON schemas that types of documents follow from'),
  timeout: new Option('--timeout <duration>', 'of a test or evaluation, such as 5s').argParser(
    duration,
  ),
  target: new Option('-t, --target <target>', 'what evaluates').choices(['rego']).default('rego'),
  v1: withoutEffect('--v1-compatible'),
}

function add(command: Command, ...options: readonly Option[]): void {
  for (const option of options) command.addOption(option)
}

/** Section 1: the command line of OPA. */
export const opa: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    defineTest(command.command('test').description('run the tests of policies'))
    defineCheck(command.command('check').description('search policies for errors'))
    defineFmt(command.command('fmt').description('format policies'))
    defineEval(command.command('eval').description('evaluate a query'))
    defineInspect(command.command('inspect').description('show what a bundle or a policy contains'))
    for (const each of command.commands) each.addHelpText('after', examples)
  },
}

function defineTest(command: Command): void {
  const { bundle, capabilities, ignore, maxErrors, schema, timeout, target, v1 } = shared
  command
    .argument('<path...>', 'files or directories of policies, tests and data, or bundles')
    .option('-v, --verbose', 'one line per test, with its duration')
    .option('-r, --run <regex>', 'run only tests whose full name matches')
    .option('-c, --coverage', 'print the coverage as JSON, if all tests pass')
    .addOption(
      new Option('--threshold <percent>', 'fail below this coverage; implies --coverage').argParser(
        positive('--threshold', 100),
      ),
    )
    .option('-z, --exit-zero-on-skipped', 'exit 0 although tests were skipped')
    .option('-w, --watch', 'rerun when a file changes')
    .option('--bench', 'measure each test')
    .option('--var-values', 'accepted: failures always show the values of expressions')
  add(
    command,
    ...[format('pretty', 'json', 'gobench'), bundle, capabilities, ignore, maxErrors, schema],
    new Option('--count <number>', 'repeat the tests')
      .argParser(wholeNumber('--count', 1))
      .default(1),
    new Option(
      '--explain <mode>',
      'implies --verbose; in every mode, a failure shows its expressions and their values, not a trace of OPA',
    ).choices(['fails', 'full', 'notes', 'debug']),
    ...[timeout, target, v1, withoutEffect('--benchmem')],
  )
  likeOpa(command, oldRego)
  command.action((paths: readonly string[], options) =>
    withExitCode(1, async () => {
      const { testCommand } = await import('./rego/testCommand.ts')
      await testCommand(paths, {
        ...options,
        timeout: options.timeout || 10_000,
        verbose: options.verbose === true || options.explain !== undefined,
      })
    }),
  )
}

function defineCheck(command: Command): void {
  const { bundle, capabilities, ignore, maxErrors, schema, v1 } = shared
  command
    .argument('<path...>', 'files or directories of policies, or bundles')
    .option('-S, --strict', 'unused variables, arguments and imports are errors')
  add(command, format('pretty', 'json'), bundle, capabilities, ignore, maxErrors, schema, v1)
  likeOpa(command, oldSyntax)
  command.action((paths: readonly string[], options) =>
    withExitCode(1, async () => {
      const { opaCheck } = await import('./opa/opaCheck.ts')
      await opaCheck(paths, options)
    }),
  )
}

function defineFmt(command: Command): void {
  command
    .argument('[path...]', 'files or directories; stdin by default')
    .option('-w, --write', 'overwrite the files')
    .option('-l, --list', 'list the files that are not formatted')
    .option('-d, --diff', 'show what would change')
    .option('--fail', 'exit 2 if a file is not formatted')
    .option('--drop-v0-imports', 'drop the imports of rego.v1 and future.keywords')
    .addOption(withoutEffect('--check-result'))
    .addOption(shared.v1)
  likeOpa(command, oldSyntax)
  command.action((paths: readonly string[], options) =>
    withExitCode(1, async () => {
      const { fmtCommand } = await import('./rego/fmtCommand.ts')
      await fmtCommand(paths, { ...options, ignore: [], hidden: true })
    }),
  )
}

const PARTIAL = 'partial evaluation is not part of this engine.'
const TRACES =
  'this engine has no metrics of OPA; --profile and --explain fails show where time goes and why.'
const OPTIMIZED = 'policies are evaluated as they are written.'

/** @throws CommandError for a trace of OPA */
function explanation(mode: string): string {
  if (mode === 'off' || mode === 'fails') return mode
  const hint = 'Pass fails: it shows the expressions that failed, and their values.'
  if (TRACED.has(mode))
    throw new CommandError(`--explain ${mode} is not supported`, { exitCode: 1, hint })
  throw new CommandError(`--explain takes off or fails, not "${mode}"`, { exitCode: 1, hint })
}

/** How OPA's evaluator went. */
const TRACED: ReadonlySet<string> = new Set(['full', 'notes', 'debug'])

function defineEval(command: Command): void {
  const { capabilities, ignore, schema, timeout, target, v1 } = shared
  command
    .argument('[query]', 'for example data.<package>.allow')
    .option('-d, --data <path>', 'policy, data file or directory', collect, [])
    .option('-b, --bundle <path>', 'bundle: a directory or a .tar.gz file', collect, [])
    .option('-i, --input <file>', 'JSON or YAML input')
    .option('-I, --stdin-input', 'read the input from stdin')
    .option('--stdin', 'read the query from stdin')
    .option('--package <package>', 'the package whose rules the query names')
    .option('--import <import>', 'an import of the query, such as data.lib', collect, [])
    .option('--fail', 'exit 1 if the result is undefined')
    .option('--fail-defined', 'exit 1 if the result is defined')
    .option('--strict-builtin-errors', 'an error in a built-in ends the evaluation')
    .option('-S, --strict', 'unused variables, arguments and imports are errors')
    .option('--coverage', 'report coverage')
    .option('--profile', 'time and evaluation count of every line')
  add(
    command,
    format('json', 'values', 'bindings', 'pretty', 'raw', 'discard'),
    new Option(
      '--explain <mode>',
      'fails: show which expressions failed, with their values',
    ).argParser(explanation),
    new Option('--count <number>', 'repeat the evaluation')
      .argParser(wholeNumber('--count', 1))
      .default(1),
    ...[capabilities, ignore, schema, timeout, target, v1],
    withoutEffect('--disable-indexing'),
    withoutEffect('--disable-early-exit'),
    withoutEffect('--optimize-store-for-read-speed'),
    withoutEffect('--var-values'),
    withoutEffect('--pretty-limit <number>'),
  )
  likeOpa(command, {
    ...oldRego,
    '-p, --partial': PARTIAL,
    '-u, --unknowns <path>': PARTIAL,
    '--disable-inlining <path>': PARTIAL,
    '--shallow-inlining': PARTIAL,
    '--nondeterminstic-builtins': PARTIAL,
    '--metrics': TRACES,
    '--instrument': TRACES,
    '--profile-sort <criteria>': TRACES,
    '--profile-limit <number>': TRACES,
    '--show-builtin-errors': 'use --strict-builtin-errors, which reports the first.',
    '-O, --optimize <level>': OPTIMIZED,
    '-e, --entrypoint <path>': OPTIMIZED,
  })
  command.action((query: string | undefined, options) =>
    withExitCode(2, async () => {
      const { opaEval } = await import('./opa/opaEval.ts')
      await opaEval(query, options)
    }),
  )
}

function defineInspect(command: Command): void {
  command
    .argument('<path>', 'a policy, or a bundle: a directory or a .tar.gz file')
    .option('-a, --annotations', 'list the annotations')
    .addOption(format('pretty', 'json'))
    .addOption(shared.v1)
  likeOpa(command, oldRego)
  command.action((path: string, options) =>
    withExitCode(1, async () => {
      const { opaInspect } = await import('./opa/opaInspect.ts')
      await opaInspect(path, options)
    }),
  )
}
