import { type Command, Option } from 'commander'
import { CommandError } from '../commandDefinition.ts'
import { takesValue } from '../emptyValues.ts'

/** Options of `opa` that are not part of `polgate opa`, by flags, with the reason or what to do. */
export type Refusals = Readonly<Record<string, string>>

/**
 * Makes a command take options as `opa` does (`--fail=true`, `-f=json`), refuse those that it does not have by
 * name, and exit with OPA's code if it cannot run.
 */
export function likeOpa(command: Command, refusals: Refusals): void {
  for (const [flags, reason] of Object.entries(refusals)) {
    const option = new Option(flags).hideHelp()
    command.addOption(option)
    command.on(`option:${option.name()}`, () => {
      throw new CommandError(`${option.long} is not supported: ${reason}`, {
        exitCode: 1,
        hint: 'Leave it out.',
      })
    })
  }
  const parse = command.parseOptions.bind(command)
  command.parseOptions = (argv) => parse(asCommander(argv, command.options))
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

/** The words with options as commander reads them. */
function asCommander(argv: readonly string[], options: readonly Option[]): string[] {
  const words: string[] = []
  for (const [i, word] of argv.entries()) {
    if (word === '--') return [...words, ...argv.slice(i)]
    const [, name = '', value = ''] = /^(--[^=]+|-[A-Za-z])=(.*)$/s.exec(word) ?? []
    const option = options.find(
      ({ long, short }) => name !== '' && (long === name || short === name),
    )
    if (option === undefined) words.push(word)
    else if (takesValue(option)) words.push(name, value)
    else if (TRUE.has(value)) words.push(name)
    else if (!FALSE.has(value))
      throw new CommandError(`${name} takes true or false, not "${value}"`, {
        exitCode: 1,
        hint: `Pass ${name} alone for true.`,
      })
  }
  return words
}

/** Runs an action; if it cannot run, the process exits with this code. */
export async function withExitCode(exitCode: number, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { message, hint, cause } = error
    throw new CommandError(message, { exitCode, cause, hint })
  }
}

/** Parses a duration of Go, or a number of milliseconds; 0 is the default. @throws CommandError */
export function duration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ms|us|µs|ns|h|m|s)/g)]
  if (text === '' || parts.map(([part]) => part).join('') !== text)
    throw new CommandError(`--timeout takes a duration such as 5s or 500ms, not "${text}"`, {
      hint: 'Pass such a duration, or leave it out.',
    })
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MS[String(unit)] ?? 0), 0)
}

const MS: Readonly<Record<string, number>> = {
  ...{ h: 3_600_000, m: 60_000, s: 1_000, ms: 1 },
  ...{ us: 1e-3, µs: 1e-3, ns: 1e-6 },
}
