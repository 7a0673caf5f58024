import { Command, CommanderError, Help, type Option } from 'commander'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { exitOnBrokenPipe } from './exitOnBrokenPipe.ts'
import { CommandError } from './commandDefinition.ts'
import { commands } from './commands.ts'

const examples = `
Examples:
  svc start                            start a local stack: chain, contracts, operators, gateway
  svc start --exec 'npm run my-tests'  start a stack, run a command, stop the stack
  svc keys create --permission rpc     create an API key
  svc --chain-id 31337 policy-data simulate --wasm-file oracle.wasm --input-json '{}'

Exit codes: 0 success, 1 check failed, 2 could not run.`

/** Entry point of the process; call it once. */
export async function run(argv: readonly string[]): Promise<void> {
  exitOnBrokenPipe()
  await main(argv)
}

/** Runs one `svc` command and sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('svc')
    .description('Policy evaluation service: reference implementation and conformance suite')
    .option('--chain-id <number>', 'chain id, for commands that use one')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('(svc --help lists commands and examples)')
    .configureHelp({ optionDescription })
    .addHelpText('after', examples)
    .exitOverride()
  const called = argv.slice(2).find((argument) => Object.hasOwn(commands, argument))
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).description(summary)
    command.copyInheritedSettings(program)
    if (name !== called) continue
    const definition = await load()
    definition.define(command)
    pointToHelp(command, `svc ${name}`)
  }
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** Makes usage errors of a command point to the help of that command. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(see ${path} --help)`)
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`)
}

const help = new Help()
const optionDescription = (option: Option): string =>
  help.optionDescription(option).replace('(default: [])', '(repeatable)')

/** Prints the error on stderr, with a stack trace only for unexpected errors; returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  console.error(errorText(error))
  return error instanceof CommandError ? error.exitCode : 2
}
