import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander'

/** Options for which an empty value means something, by command and flag. */
const meaningful: Readonly<Record<string, readonly string[]>> = {
  // Empty wasm_args are an empty object.
  'policy-data simulate': ['--input-json'],
  'policy simulate': ['--wasm-args'],
}

/** Arguments that are the words of another program's command. */
const foreign: Readonly<Record<string, readonly string[]>> = { record: ['command'] }

/**
 * Makes a command refuse empty values of options and arguments. A shell gives an empty value where the
 * variable that it comes from is unset, as CI does for a secret that is missing: what is meant then is
 * never the default.
 *
 * @param path of the command below the program: `policy simulate`
 */
export function refuseEmptyValues(command: Command, path: string): void {
  for (const option of command.options) {
    if (!takesValue(option) || meaningful[path]?.includes(String(option.long))) continue
    option.argParser(refusing(option))
  }
  for (const argument of command.registeredArguments) {
    if (foreign[path]?.includes(argument.name())) continue
    argument.argParser(refusing(argument))
  }
}

/** Parses what is not empty as before. */
function refusing(of: Option | Argument): (value: string, previous: unknown) => unknown {
  const { parseArg } = of
  return (value, previous) => {
    if (value === '')
      throw new InvalidArgumentError(
        'It must not be empty; a variable that it comes from may be unset.',
      )
    return parseArg === undefined ? appended(of, value, previous) : parseArg(value, previous)
  }
}

export const takesValue = ({ required, optional }: Option): boolean => required || optional

/** What commander does without a parser. */
function appended(of: Option | Argument, value: string, previous: unknown): unknown {
  if (!of.variadic) return value
  return Array.isArray(previous) && previous !== of.defaultValue ? [...previous, value] : [value]
}
