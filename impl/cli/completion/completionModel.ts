import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Lists of words that several options complete: their names are those of shell variables. */
export const wordLists = ['checks', 'clauses', 'sections', 'tags'] as const
export type WordList = (typeof wordLists)[number]

/** The words of each list, in the order in which they are offered. */
export type Words = Readonly<Record<WordList, readonly string[]>>

/** How a value is completed: from words, from named lists, or as a path. */
export type ValueSource = {
  readonly words: readonly string[]
  readonly lists: readonly WordList[]
  readonly files: boolean
}

export type CompletedOption = {
  /** As written: `-v`, `--verbose`. */
  readonly flags: readonly string[]
  readonly description: string
  /** Undefined for an option without a value. */
  readonly value: ValueSource | undefined
}

/** One command or subcommand. */
export type CompletedCommand = {
  /** `polgate keys create` */
  readonly path: string
  readonly description: string
  readonly subcommands: readonly string[]
  readonly options: readonly CompletedOption[]
  readonly arguments: ValueSource
}

const of = (source: Partial<ValueSource>): ValueSource => ({
  words: [],
  lists: [],
  files: false,
  ...source,
})
const nothing = of({})
const files = of({ files: true })
const targets = of({ words: ['local'], files: true })

/** Values of options by their long flag, whatever the command. */
const byFlag: Readonly<Record<string, ValueSource>> = {
  '--grep': of({ lists: ['checks'] }),
  '--exclude': of({ lists: ['checks'] }),
  '--clause': of({ lists: ['clauses', 'sections'] }),
  '--tag': of({ lists: ['tags'] }),
  '--exclude-tag': of({ lists: ['tags'] }),
  '--level': of({ words: ['must', 'should', 'may'] }),
  '--log': of({ words: ['debug', 'info', 'warn', 'error', 'silent'] }),
  '--reseal': of({ words: ['all', 'secrets', 'none'] }),
  '--preset': of({ words: ['local', 'remote', 'command', 'image'] }),
  '--permission': of({ words: ['rpc', 'rpc_read', 'rpc_write', 'admin'] }),
  '--capabilities': of({ words: ['service', 'opa-1.2', 'latest'] }),
  '--expect': of({ words: ['allow', 'deny'] }),
  '--workers': of({ words: ['auto'] }),
  '--target': targets,
}

const path = /file|dir|path|log|folder|package|run\b/i

function optionValue(option: Option): ValueSource | undefined {
  if (!option.required && !option.optional) return undefined
  if (option.argChoices !== undefined) return of({ words: option.argChoices })
  const known = byFlag[option.long ?? '']
  if (known !== undefined) return known
  return path.test(option.flags) ? files : nothing
}

/** Values of arguments by the names of their commands. */
const byCommand: Readonly<Record<string, ValueSource>> = {
  explain: of({ lists: ['checks', 'clauses'] }),
  certify: targets,
  run: targets,
  doctor: targets,
  diff: targets,
}

function argumentValue(command: Command): ValueSource {
  const known = byCommand[command.name()]
  const [first] = command.registeredArguments
  if (known !== undefined || first === undefined) return known ?? nothing
  return first.argChoices === undefined ? files : of({ words: first.argChoices })
}

/** A command with all its subcommands, as the shells complete them. */
export function completionModel(command: Command, above = ''): readonly CompletedCommand[] {
  const name = `${above} ${command.name()}`.trim()
  const help = command.createHelp()
  const options = help.visibleOptions(command).map((option) => ({
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: option.description,
    value: optionValue(option),
  }))
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  return [
    {
      path: name,
      description: command.description(),
      subcommands: below.map((each) => each.name()),
      options,
      arguments: argumentValue(command),
    },
    ...below.flatMap((each) => completionModel(each, name)),
  ]
}
