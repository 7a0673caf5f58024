import { CommandError } from './commandDefinition.ts'

export const colourChoices = ['auto', 'always', 'never'] as const

const environments: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  auto: {},
  always: { FORCE_COLOR: '1', NO_COLOR: undefined },
  never: { NO_COLOR: '1', FORCE_COLOR: undefined },
}

/**
 * Takes `--color` out of the arguments, wherever it is before `--`, and returns the others. It sets
 * NO_COLOR or FORCE_COLOR, which this process and every process that it starts follow.
 *
 * @throws CommandError for another value
 */
export function takeColourOption(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const rest: string[] = []
  for (let at = 0; at < own.length; at += 1) {
    const argument = own[at]!
    if (argument !== '--color' && !argument.startsWith('--color=')) {
      rest.push(argument)
      continue
    }
    const value = argument === '--color' ? own[++at] : argument.slice('--color='.length)
    const wanted = environments[value ?? '']
    if (wanted === undefined)
      throw new CommandError(
        value === undefined
          ? "option '--color <when>' argument missing"
          : `option '--color <when>' argument '${value}' is invalid`,
        { hint: `Use ${colourChoices.join(', ')} (see polgate --help).` },
      )
    for (const [name, setting] of Object.entries(wanted)) {
      if (setting === undefined) delete env[name]
      else env[name] = setting
    }
  }
  return end === -1 ? rest : [...rest, ...argv.slice(end)]
}
