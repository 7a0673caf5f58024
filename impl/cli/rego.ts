import { type Command, Option } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { CommandError } from './commandDefinition.ts'
import type { CheckCommandOptions } from './rego/checkCommand.ts'
import type { FmtOptions } from './rego/fmtCommand.ts'
import type { LintCommandOptions } from './rego/lintCommand.ts'
import { collect } from './regorus.ts'

const examples = `
Examples:
  polgate rego fmt --write policies
  polgate rego fmt --check policies
  polgate rego fmt --diff policy.rego
  polgate rego fmt - < policy.rego
  polgate rego check policy.rego policy_test.rego
  polgate rego check policies --json
  polgate rego lint policy.rego policy_test.rego
  polgate rego lint policies --params params.json --sarif
  polgate rego lint --explain undefined-negation
  polgate rego capabilities > capabilities.json

Exit codes: 0 nothing to report, 1 not formatted, errors or findings, 2 could not run.`

/** Section 1: formats policies, and searches them for errors and for patterns that fail open. */
export const rego: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    defineFmt(command)
    defineCheck(command)
    command
      .command('lint')
      .description('search policies for patterns by which a failure may allow')
      .argument('[path...]', 'policies and their tests: files or directories; - for stdin')
      .option('--rule <id>', 'check only this rule', collect, [])
      .option('--disable <id>', 'leave out this rule', collect, [])
      .option('--params <file>', 'JSON or YAML parameters, each of which a rule should read')
      .option('--capabilities <profile>', 'built-ins: service, opa-1.2, latest', 'latest')
      .option('--json', 'one JSON object on stdout')
      .option('--sarif', 'a SARIF log on stdout, for code scanning')
      .option('--explain <id>', 'print the page of a rule')
      .option('--list-rules', 'list the rules')
      .option('--ignore <pattern>', 'skip files with this name', collect, [])
      .addHelpText('after', LINT_HELP)
      .action(async (paths: readonly string[], options: LintCommandOptions) => {
        const { lintCommand } = await import('./rego/lintCommand.ts')
        await lintCommand(paths, options)
      })
    command
      .command('capabilities')
      .description('print what policies may call, for opa, Regal and editors')
      .option('--capabilities <profile>', 'built-ins: service, opa-1.2, latest', 'service')
      .addHelpText('after', examples)
      .action(async ({ capabilities }: { readonly capabilities: string }) => {
        const [{ capabilitiesDocument }, { profileOf }] = await Promise.all([
          import('./rego/capabilitiesDocument.ts'),
          import('./rego/profileOf.ts'),
        ])
        process.stdout.write(capabilitiesDocument(profileOf(capabilities)))
      })
  },
}

const LINT_HELP = `
A comment turns off a rule for the line below it or its own line:
  # lint:ignore default-allow: the reason
For a file: # lint:ignore-file default-allow: the reason
${examples}`

function defineFmt(command: Command): void {
  command
    .command('fmt')
    .description('format policies in the style of opa fmt')
    .argument('[path...]', 'files or directories; - for stdin, which is the default')
    .option('-w, --write', 'overwrite the files')
    .option('-l, --list', 'list the files that are not formatted')
    .option('-d, --diff', 'show what would change')
    .option('--check', 'list the files that are not formatted, and exit 1 if there are any')
    .addOption(new Option('--fail', 'another name of --check').hideHelp())
    .option('--ignore <pattern>', 'skip files with this name', collect, [])
    .addHelpText('after', examples)
    .action(async (paths: readonly string[], { fail, ...options }: FmtOptions) => {
      const { fmtCommand } = await import('./rego/fmtCommand.ts')
      await fmtCommand(paths, fail === true ? { ...options, check: true } : options)
    })
}

function defineCheck(command: Command): void {
  command
    .command('check')
    .description('search policies for syntax, compile and type errors')
    .argument('<path...>', 'files or directories; - for stdin')
    .option('--json', 'one JSON object on stdout')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['json', 'pretty'])
        .default('pretty'),
    )
    .option(
      '--capabilities <profile|file>',
      'built-ins: service, opa-1.2, latest, or a capabilities.json',
      'service',
    )
    .option('-m, --max-errors <number>', 'how many errors to show', wholeNumber, 10)
    .option('--ignore <pattern>', 'skip files with this name', collect, [])
    .addHelpText('after', examples)
    .action(async (paths: readonly string[], options: CheckCommandOptions) => {
      const { checkCommand } = await import('./rego/checkCommand.ts')
      await checkCommand(paths, options)
    })
}

const MOST_ERRORS = 10_000

function wholeNumber(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= MOST_ERRORS) return value
  throw new CommandError(`--max-errors takes a number from 1 to ${MOST_ERRORS}, not "${text}"`, {
    hint: 'Leave it out for ten.',
  })
}
