import { Command, CommanderError, Help, Option } from 'commander'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { colourChoices, takeColourOption } from './colourOption.ts'
import { CommandError, type Commands, commandGroups } from './commandDefinition.ts'
import { refuseEmptyValues } from './emptyValues.ts'
import { detail, setVerbose } from './verbosity.ts'

export type Program = {
  /** The command, which has the name of its package. */
  readonly name: string
  readonly description: string
  /** Adds options that every command takes. */
  readonly options?: (program: Command) => Command
  /** What it is for, with a command for each use: shown without arguments. */
  readonly uses?: string
  /** Text after the list of all commands. */
  readonly examples: string
  readonly commands: Commands
}

/**
 * Runs one command of `polgate`, loading only its module, and sets `process.exitCode`: 2 for a usage error
 * and for a command that could not run.
 */
export async function runProgram(argv: readonly string[], definition: Program): Promise<void> {
  try {
    const rest = withoutHelpOfUnknown(takeColourOption(argv), definition.commands)
    const words = rest.slice(2)
    if (words.length === 0 && definition.uses !== undefined) {
      console.error(definition.uses)
      process.exitCode = 2
      return
    }
    const called = words.find((argument) => Object.hasOwn(definition.commands, argument))
    const isWhole = called === undefined && words.includes('--all')
    const program = await programOf(definition, (name) => name === called, isWhole)
    await program.parseAsync(isWhole ? rest.filter((word) => word !== '--all') : rest)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/**
 * `polgate help strat` and `polgate strat --help` are typos: without the request for help, the parser
 * reports the unknown command and suggests the right one.
 */
function withoutHelpOfUnknown(argv: readonly string[], commands: Commands): readonly string[] {
  const [node = '', script = '', first = '', second = ''] = argv
  const name = first === 'help' ? second : first
  const unknown = /^[^-]/.test(name) && name !== 'help' && !Object.hasOwn(commands, name)
  return unknown ? [node, script, name] : argv
}

/**
 * The program with the names and summaries of all commands.
 *
 * @param loads which commands to load, with their options and subcommands
 * @param isWhole whether its help lists all commands and options, instead of the common commands
 */
export async function programOf(
  definition: Program,
  loads: (name: string) => boolean,
  isWhole = false,
): Promise<Command> {
  const isListed = (command: Command) =>
    isWhole || definition.commands[command.name()]?.isCommon === true
  const program = new Command(definition.name)
    .description(definition.description)
    .version(packageVersion, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError(`(${definition.name} --help lists the commands)`)
    .configureHelp({
      optionDescription: (option) => named(optionDescription(option), definition),
      visibleCommands: (command) =>
        help.visibleCommands(command).filter((each) => command.parent !== null || isListed(each)),
      visibleOptions: (command) =>
        command.parent !== null || isWhole ? help.visibleOptions(command) : [],
    })
    .configureOutput({
      getOutHelpWidth: () => outputWidth(process.stdout) ?? usualWidth,
      getErrHelpWidth: () => outputWidth(process.stderr) ?? usualWidth,
      // Examples are written for wide terminals.
      writeOut: (text) => void process.stdout.write(wrapText(text, outputWidth(process.stdout))),
      outputError: (text, write) =>
        write(text.replace(/\n\(Did you mean (.*)\)/, ' (Did you mean $1)')),
    })
    .addHelpText('after', isWhole ? definition.examples : restOfHelp(definition.name))
    .exitOverride()
  definition.options?.(program)
  refuseEmptyValues(program, '')
  program.addOption(colourOption()).addOption(verboseOption())
  for (const [name, { summary, group, load }] of byGroup(definition.commands)) {
    const command = program.command(name).description(summary).helpGroup(`${group}:`)
    command.copyInheritedSettings(program)
    if (!loads(name)) continue
    const { define } = await load()
    define(command, () => programOf(definition, () => true, true))
    complete(command, definition.name, [name])
  }
  return program.hook('preAction', (_, action) => {
    const own = action.options.find(({ long }) => long === '--verbose')
    // Some commands have an option of this name with another meaning; before their name it is this one.
    const isShared = own?.description === verboseText
    const verbose = program.opts().verbose === true || (isShared && action.opts().verbose === true)
    setVerbose(verbose)
    if (!verbose) return
    detail(`${packageVersion} on Node ${process.versions.node}, in ${process.cwd()}`)
    process.once('exit', (code) =>
      detail(`exit code ${code} after ${process.uptime().toFixed(1)} s`),
    )
  })
}

const byGroup = (commands: Commands) =>
  commandGroups.flatMap((group) =>
    Object.entries(commands).filter(([, command]) => command.group === group),
  )

const restOfHelp = (name: string) => `
${name} --help --all lists every command, ${name} COMMAND --help its options and examples.
Exit codes: 0 success, 1 check failed, 2 could not run.`

/** Texts that both programs share name commands of `polgate`. */
const named = (text: string, { name }: Program): string =>
  text.replaceAll(/\bpolgate (?=[a-z])/g, `${name} `)

const usualWidth = 80

const colourOption = () =>
  new Option('--color <when>', 'colour the output; auto follows NO_COLOR and FORCE_COLOR').choices(
    colourChoices,
  )

const verboseText = 'say on stderr what is done: targets, files, requests'
const verboseOption = () => new Option('-v, --verbose', verboseText)

/**
 * Gives a command the options that all of them take, unless it has one of that name, and makes its usage
 * errors point to its help.
 */
function complete(command: Command, program: string, path: readonly string[]): void {
  command.showHelpAfterError(`(see ${[program, ...path].join(' ')} --help)`)
  for (const each of command.commands) complete(each, program, [...path, each.name()])
  refuseEmptyValues(command, path.join(' '))
  if (command.commands.length > 0) return
  command.addOption(colourOption())
  if (!command.options.some(({ long, short }) => long === '--verbose' || short === '-v'))
    command.addOption(verboseOption())
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
