import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseExact } from 'polgate-protocol/exactJson.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import { EnvelopeError } from 'polgate-service/envelopes/envelopeError.ts'
import { maxSecretsBytes, parseSecrets, type Secrets } from 'polgate-service/envelopes/secrets.ts'
import { defaultOracleLimits, formatBytes } from 'polgate-service/oracles/limits.ts'
import { CommandError } from '../commandDefinition.ts'

/** Input files of the command line, with the size limits of the service. */

/** Decisions, section 9. */
const maxPolicyBytes = 512 * 1024
const maxWasmArgsBytes = 64 * 1024
/** Limit of a request body. */
const maxJsonBytes = 2 * 1024 * 1024

const whys: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  ENOTDIR: 'has a parent that is not a directory',
  EACCES: 'is not readable: permission denied',
}

/** @throws CommandError if the file is missing, not a file, or larger than `most` bytes */
export async function readBytes(path: string, most: number): Promise<Uint8Array> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      if (size > most) throw tooLarge(path, most)
      const bytes = await file.readFile()
      // The size of a pipe is unknown before it is read.
      if (bytes.length > most) throw tooLarge(path, most)
      return bytes
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const { code = '' } = cause as NodeJS.ErrnoException
    const why = whys[code] ?? `cannot be read (${code})`
    throw new CommandError(`${path} ${why}`, { hint: 'Check the path.', cause })
  }
}

const tooLarge = (path: string, most: number) =>
  new CommandError(`${path} is larger than ${formatBytes(most)}`, {
    hint: 'The service has the same limit.',
  })

/** @throws CommandError if the file is not UTF-8 */
export async function readText(path: string, most = maxJsonBytes): Promise<string> {
  return decoded(path, await readBytes(path, most))
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${path} is not UTF-8 text`, { hint: 'Save it as UTF-8.' })
  }
}

export const readPolicy = (path: string): Promise<string> => readText(path, maxPolicyBytes)

/** Parses JSON with exact integers of any size. @throws CommandError if the file is not JSON */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(path, await readText(path))
}

/** Policy parameters; an empty file reads as `{}`, like a client without parameters. */
export async function readParams(path: string): Promise<unknown> {
  return parseJson(path, policyParamsJson(await readText(path)))
}

/** @param name file or flag, for error messages */
export function parseJson(name: string, text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    const { message } = cause as Error
    throw new CommandError(`${name} is not JSON: ${message}${placeOf(text, message)}`, {
      hint: 'Correct the text at that place.',
      cause,
    })
  }
}

/** Line and column of what the parser counts in characters. */
function placeOf(text: string, message: string): string {
  const [, position] = / at position (\d+)(?! \(line)/.exec(message) ?? []
  const end = /end of JSON input/.test(message) ? text.length : undefined
  const at = position === undefined ? end : Number(position)
  if (at === undefined) return ''
  const lines = text.slice(0, at).split('\n')
  return ` (line ${lines.length} column ${(lines.at(-1)?.length ?? 0) + 1})`
}

/** Arguments of an oracle: any string, JSON by convention (section 1). */
export function checkWasmArgs(name: string, text: string): string {
  if (Buffer.byteLength(text) > maxWasmArgsBytes) {
    throw new CommandError(`${name} is larger than ${formatBytes(maxWasmArgsBytes)}`, {
      hint: 'The service has the same limit for wasm_args.',
    })
  }
  return text
}

/** Arguments of an oracle from a file, without the trailing newline. */
export async function readWasmArgs(path: string): Promise<string> {
  return checkWasmArgs(path, (await readText(path)).replace(/\r?\n$/, ''))
}

export type SecretsFile = { readonly bytes: Uint8Array; readonly secrets: Secrets }

/** @throws CommandError if the service would not accept the secrets; without repeating them */
export async function readSecrets(path: string): Promise<SecretsFile> {
  const bytes = await readBytes(path, maxSecretsBytes)
  try {
    return { bytes, secrets: parseSecrets(bytes) }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    throw new CommandError(`${path}: ${error.message}`, {
      hint: 'Secrets are a JSON object whose values are strings: {"API_KEY": "..."}.',
    })
  }
}

/**
 * Reads a component, or builds it from source (`.js`, `.ts`, `.wat`).
 *
 * @param note called before a slow build, such as the first one of a JavaScript source
 * @param signal ends the build
 */
export async function readComponent(
  path: string,
  note: (text: string) => void,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (!/\.(js|ts|wat)$/.test(path)) return await readBytes(path, defaultOracleLimits.componentBytes)
  // Reports a missing file here; errors of the builder are about the build.
  await readText(path)
  const { buildComponent } = await import('polgate-fixtures/oracles/build.ts')
  const name = basename(path).replace(/\.\w+$/, '')
  try {
    return await buildComponent(
      { name: /^[\w-]{1,60}$/.test(name) ? name : 'oracle', path },
      {
        signal,
        onProgress: ({ state }) => {
          if (state === 'building' && !path.endsWith('.wat'))
            note(`building a component from ${path} (first use only)`)
        },
      },
    )
  } catch (cause) {
    signal?.throwIfAborted()
    throw new CommandError(`${path}: ${(cause as Error).message}`, {
      hint: 'Correct the oracle, then polgate oracle build shows whether it builds.',
      cause,
    })
  }
}
