import { type Command, Option } from 'commander'
import { type CommandDefinition, CommandError } from './commandDefinition.ts'
import type { EvalOptions } from './rego/evalCommand.ts'

const examples = `
Examples:
  polgate regorus eval -d policy.rego -d params:params.json -i intent.json data.policy.allow
  polgate regorus eval -d policy.rego -i intent.json --explain --format pretty data.policy.allow
  polgate regorus eval -d policies --input-json '{"value": 1}' --fail data.policy.allow
  polgate regorus parse policy.rego
  polgate regorus lex policy.rego

Data files are JSON or YAML and are merged; NAME:FILE loads one as data.NAME. Results go to stdout,
errors and everything else to stderr.
Exit codes: 0 evaluated, 1 --fail or --threshold failed, 2 could not be evaluated.`

export const collect = (value: string, earlier: readonly string[]) => [...earlier, value]

/** Parses a percentage or a number of milliseconds. @throws CommandError */
export const positive =
  (name: string, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value >= 0 && value <= most) return value
    throw new CommandError(`${name} takes a number up to ${most}, not "${text}"`, {
      hint: `Pass such a number, or leave ${name} out.`,
    })
  }

export const formatOption = (standard: 'json' | 'pretty') =>
  new Option('--format <format>', 'output format').choices(['json', 'pretty']).default(standard)

/** Section 1: evaluates, parses and tokenizes policies with the engine of the service. */
export const regorus: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    command
      .command('eval')
      .description('evaluate a query against policies, data and an input')
      .argument('<query>', 'for example data.<package>.allow')
      .option('-d, --data <path>', 'policy, data file or directory', collect, [])
      .option('-i, --input <file>', 'JSON or YAML input; - for stdin')
      .option('--input-json <json>', 'input as JSON')
      .option('--non-strict', 'an error in a built-in makes the expression undefined')
      .option('--capabilities <profile>', 'built-ins: service, opa-1.2, latest', 'service')
      .addOption(formatOption('json'))
      .option('--explain', 'show which expressions failed, with their values')
      .option('--profile', 'time and evaluation count of every line')
      .option('--coverage', 'report lines that were never evaluated')
      .option('--threshold <percent>', 'fail below this coverage', positive('--threshold', 100))
      .option('--fail', 'exit 1 if the result is undefined or false')
      .option('--ignore <pattern>', 'skip files with this name', collect, [])
      .option(
        '--timeout <ms>',
        'timeout of the evaluation',
        positive('--timeout', 3_600_000),
        10_000,
      )
      .option('--watch', 'evaluate again when a file changes')
      .addHelpText('after', examples)
      .action(async (query: string, options: EvalOptions) => {
        const { evalCommand } = await import('./rego/evalCommand.ts')
        await evalCommand(query, options)
      })
    command
      .command('parse')
      .description('check the syntax of a policy and print its syntax tree')
      .argument('<file>')
      .addOption(formatOption('json'))
      .action(async (file: string, { format }: { format: 'json' | 'pretty' }) => {
        const { parseCommand } = await import('./rego/inspect.ts')
        await parseCommand(file, format)
      })
    command
      .command('lex')
      .description('print the tokens of a policy')
      .argument('<file>')
      .addOption(formatOption('pretty'))
      .action(async (file: string, { format }: { format: 'json' | 'pretty' }) => {
        const { lexCommand } = await import('./rego/inspect.ts')
        await lexCommand(file, format)
      })
  },
}
