import type { Command } from 'commander'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { defaultOracleLimits, type OracleLimits } from 'polgate-service/oracles/limits.ts'
import { CommandError } from '../commandDefinition.ts'
import { collect } from '../regorus.ts'

/** Options shared by both simulators. */
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
    .option('--allow-host <host:port>', 'allow this host even at a private address', collect, [])
    .option('--limit <name=value>', 'override a limit of the service', collect, [])
    .option('--record <file>', 'write the HTTP exchanges to a file, without secrets')
    .option('--force', 'overwrite the file of --record')
    .option('--redact-header <name>', 'omit the value of this header', collect, [])
    .option('--replay <file>', 'respond from recorded exchanges; send nothing')
    .option('--strict', 'exit 2 if recorded exchanges were not used')
    .option('--timings', 'print timings on stderr')
    .option('--json', 'one JSON object on stdout: output, exchanges, timings')

/** @throws CommandError for conflicting options */
export function checkHttpOptions(options: HttpOptions): void {
  const { record, replay, force, strict, redactHeader, allowHost } = options
  if (record !== undefined && replay !== undefined)
    throw new CommandError('--record and --replay exclude each other', {
      hint: 'Record first, then replay the same file.',
    })
  if (record === undefined && (force === true || redactHeader.length > 0))
    throw new CommandError('--force and --redact-header require --record', {
      hint: 'Add --record FILE, or leave them out.',
    })
  if (replay === undefined && strict === true)
    throw new CommandError('--strict requires --replay', {
      hint: 'Add --replay FILE, or leave it out.',
    })
  for (const host of allowHost) {
    if (/^(\[[\da-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/.test(host)) continue
    throw new CommandError(`--allow-host takes host:port, not "${host}"`, {
      hint: 'Include the port: 127.0.0.1:8604, api.example:443.',
    })
  }
}

/** @throws CommandError for an unknown limit or an invalid value */
export function limitsOf(texts: readonly string[]): Partial<OracleLimits> {
  const names = Object.keys(defaultOracleLimits)
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', value = ''] = text.split('=', 2)
      if (!names.includes(name)) {
        const meant = nearest(name, names)
        throw new CommandError(`unknown limit ${name}`, {
          hint: meant === undefined ? `Limits are ${names.join(', ')}.` : `Did you mean ${meant}?`,
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

/** Parses `--chain-id`, which precedes the command (section 1). @throws CommandError */
export function chainIdOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^(0x[\da-fA-F]+|\d+)$/.test(text) && Number.isSafeInteger(number)) return number
  throw new CommandError(`--chain-id takes a number, not "${text}"`, {
    hint: 'For example 1, or 31337 for a local chain.',
  })
}
