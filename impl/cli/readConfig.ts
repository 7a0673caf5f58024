import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fromEnvironment } from 'polgate-service/serviceConfig.ts'
import { CommandError } from './commandDefinition.ts'
import { detail } from './verbosity.ts'

/**
 * Reads a JSON configuration from a file, or from standard input for `-`, and substitutes `${NAME}`
 * from the environment.
 *
 * @param members reads only these; variables of other members may be unset
 */
export async function readConfig(
  path: string,
  members?: readonly string[],
): Promise<Record<string, unknown>> {
  detail(`configuration from ${path === '-' ? 'standard input' : path}`)
  const content =
    path === '-'
      ? await text(process.stdin)
      : await readFile(path, 'utf8').catch((cause) => {
          throw new CommandError(`Cannot read ${path}`, { hint: 'Check the path.', cause })
        })
  try {
    const whole: unknown = JSON.parse(content)
    if (typeof whole !== 'object' || whole === null) throw new SyntaxError()
    const entries = Object.entries(whole).filter(([name]) => members?.includes(name) ?? true)
    return fromEnvironment(Object.fromEntries(entries), process.env) as Record<string, unknown>
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    // The parser's message may quote the configuration, which contains keys.
    const name = path === '-' ? 'standard input' : path
    throw new CommandError(`${name} is not a JSON object`, { hint: 'See the example in --help.' })
  }
}
