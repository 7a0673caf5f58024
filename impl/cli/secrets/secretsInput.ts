import { EnvelopeError } from 'polgate-service/envelopes/envelopeError.ts'
import { maxSecretsBytes, parseSecrets, type Secrets } from 'polgate-service/envelopes/secrets.ts'
import { CommandError } from '../commandDefinition.ts'
import { readBytes } from '../policy/inputFiles.ts'

export type SecretsSource = { readonly file?: string; readonly env?: readonly string[] }

/**
 * Secrets from variables, a file or standard input.
 *
 * @throws CommandError, which contains no secret
 */
export async function secretsFrom({ file, env = [] }: SecretsSource): Promise<Secrets> {
  if (env.length > 0 && file !== undefined)
    throw new CommandError('--env and --file exclude each other', { hint: 'Use one of them.' })
  if (env.length > 0) return fromVariables(env)
  const name = file ?? 'standard input'
  const bytes = file === undefined ? await standardInput() : await readBytes(file, maxSecretsBytes)
  try {
    return parseSecrets(bytes)
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    // Without the cause: a parser's message may quote what it parses.
    throw new CommandError(`${name}: ${error.message}`, {
      hint: 'Secrets are a JSON object whose values are strings: {"API_KEY": "..."}.',
    })
  }
}

function fromVariables(names: readonly string[]): Secrets {
  return Object.fromEntries(
    names.map((name) => {
      if (name.includes('='))
        throw new CommandError('--env takes the name of a variable, not its value', {
          hint: "The shell's history would have the secret: set the variable elsewhere, and change this secret.",
        })
      const value = process.env[name]
      if (value === undefined || value === '')
        throw new CommandError(`the variable ${name.slice(0, 100)} is not set`, {
          hint: 'A secret has the name of its variable.',
        })
      return [name, value] as const
    }),
  )
}

async function standardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY)
    throw new CommandError('no secrets are given', {
      hint: 'Use --file FILE, --env NAME, or pipe a JSON object to standard input.',
    })
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of process.stdin) {
    size += piece.length
    if (size > maxSecretsBytes)
      throw new CommandError(`standard input is larger than ${maxSecretsBytes} bytes`, {
        hint: 'The service has the same limit for secrets.',
      })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
