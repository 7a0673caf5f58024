import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fromEnvironment } from 'polgate-service/serviceConfig.ts'
import { CommandError } from './verb.ts'

/**
 * A JSON configuration from a file or, as `-`, from standard input; `${NAME}` from the environment.
 *
 * @param members those that are needed: the others may name what this environment has not
 */
export async function readConfig(
  path: string,
  members?: readonly string[],
): Promise<Record<string, unknown>> {
  const content =
    path === '-'
      ? await text(process.stdin)
      : await readFile(path, 'utf8').catch((cause) => {
          throw new CommandError(`${path} cannot be read`, { hint: 'Is the path right?', cause })
        })
  try {
    const whole: unknown = JSON.parse(content)
    if (typeof whole !== 'object' || whole === null) throw new SyntaxError()
    const entries = Object.entries(whole).filter(([name]) => members?.includes(name) ?? true)
    return fromEnvironment(Object.fromEntries(entries), process.env) as Record<string, unknown>
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    // The parser's message would repeat a piece of the configuration, which holds keys.
    const name = path === '-' ? 'standard input' : path
    throw new CommandError(`${name} is not a JSON object`, { hint: 'See the example in --help.' })
  }
}
