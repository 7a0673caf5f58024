import type { Command } from 'commander'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { defaultOracleLimits, type OracleLimits } from 'polgate-service/oracles/limits.ts'
import { collect } from '../regorus.ts'
import { CommandError } from '../verb.ts'

/** Options that both simulators have. */
export type HttpOptions = {
  readonly allowHost: readonly string[]
  readonly limit: readonly string[]
  readonly record?: string
  readonly replay?: string
  readonly force?: boolean
  readonly strict?: boolean
  readonly redactHeader: readonly string[]
  readonly json?: boolean
  readonly timings?: boolean
}

export const addHttpOptions = (command: Command): Command =>
  command
    .option('--allow-host <host:port>', 'reach this host whatever its address', collect, [])
    .option('--limit <name=value>', 'another limit than that of the service', collect, [])
    .option('--record <file>', 'keep the HTTP exchanges, without any secret')
    .option('--force', 'replace the file that --record names')
    .option('--redact-header <name>', 'keep no value of this header', collect, [])
    .option('--replay <file>', 'answer from recorded exchanges; nothing is sent')
    .option('--strict', 'exit 2 when recorded exchanges are left over')
    .option('--timings', 'say on stderr what took how long')
    .option('--json', 'one JSON object on stdout: output, exchanges, timings')

/** @throws CommandError for options that do not go together */
export function checkHttpOptions(options: HttpOptions): void {
  const { record, replay, force, strict, redactHeader, allowHost } = options
  if (record !== undefined && replay !== undefined)
    throw new CommandError('Give either --record or --replay')
  if (record === undefined && (force === true || redactHeader.length > 0))
    throw new CommandError('--force and --redact-header go with --record')
  if (replay === undefined && strict === true) throw new CommandError('--strict goes with --replay')
  for (const host of allowHost) {
    if (/^(\[[\da-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/.test(host)) continue
    throw new CommandError(`--allow-host takes host:port, not "${host}"`, {
      hint: 'Write the port too: 127.0.0.1:8604, api.example:443.',
    })
  }
}

/** @throws CommandError for a limit that does not exist, or no number */
export function limitsOf(texts: readonly string[]): Partial<OracleLimits> {
  const names = Object.keys(defaultOracleLimits)
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', value = ''] = text.split('=', 2)
      if (!names.includes(name)) {
        const meant = nearest(name, names)
        throw new CommandError(`there is no limit ${name}`, {
          hint: meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`,
        })
      }
      if (!/^[1-9]\d{0,14}$/.test(value)) {
        throw new CommandError(`--limit ${name} takes a whole number above 0, not "${value}"`, {
          hint: `Sizes are in bytes, times in milliseconds: --limit ${name}=${defaultOracleLimits[name as 'httpCalls']}.`,
        })
      }
      return [name, Number(value)]
    }),
  )
}

/** The number of `--chain-id`, as section 1 has it before the verb. @throws CommandError */
export function chainIdOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^(0x[\da-fA-F]+|\d+)$/.test(text) && Number.isSafeInteger(number)) return number
  throw new CommandError(`--chain-id takes a number, not "${text}"`, {
    hint: 'Such as 1, or 31337 of a local chain.',
  })
}
