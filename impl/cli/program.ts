import { Command, CommanderError, Help, type Option } from 'commander'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { CommandError, type Commands } from './commandDefinition.ts'

export type Program = {
  /** The command, which has the name of its package. */
  readonly name: string
  readonly description: string
  /** Adds options that every command takes. */
  readonly options?: (program: Command) => Command
  /** Text after the list of commands. */
  readonly examples: string
  readonly commands: Commands
}

/**
 * Runs one command of `polgate`, loading only its module, and sets `process.exitCode`: 2 for a usage error
 * and for a command that could not run.
 */
export async function runProgram(argv: readonly string[], definition: Program): Promise<void> {
  const program = new Command(definition.name)
    .description(definition.description)
    .version(packageVersion, '-v, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError(`(${definition.name} --help lists commands and examples)`)
    .configureHelp({ optionDescription })
    .addHelpText('after', definition.examples)
    .exitOverride()
  definition.options?.(program)
  const called = argv.slice(2).find((argument) => Object.hasOwn(definition.commands, argument))
  for (const [name, { summary, load }] of Object.entries(definition.commands)) {
    const command = program.command(name).description(summary)
    command.copyInheritedSettings(program)
    if (name !== called) continue
    const { define } = await load()
    define(command)
    pointToHelp(command, `${definition.name} ${name}`)
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
