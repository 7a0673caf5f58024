import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseExact } from 'polgate-protocol/exactJson.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import { EnvelopeError } from 'polgate-service/envelopes/envelopeError.ts'
import { maxSecretsBytes, parseSecrets, type Secrets } from 'polgate-service/envelopes/secrets.ts'
import { defaultOracleLimits, formatBytes } from 'polgate-service/oracles/limits.ts'
import { CommandError } from '../verb.ts'

/** Files that the command line is given. All are bounded as the service bounds what is sent to it. */

/** Decisions, section 9. */
const maxPolicyBytes = 512 * 1024
const maxWasmArgsBytes = 64 * 1024
/** Body of a request, which all the rest would be in. */
const maxJsonBytes = 2 * 1024 * 1024

const whys: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  ENOTDIR: 'is below something that is no directory',
  EACCES: 'may not be read',
}

/** @throws CommandError naming the file: missing, no file, larger than `most` bytes */
export async function readBytes(path: string, most: number): Promise<Uint8Array> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      if (size > most) throw tooLarge(path, most)
      const bytes = await file.readFile()
      // A pipe has no size before it is read.
      if (bytes.length > most) throw tooLarge(path, most)
      return bytes
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const { code = '' } = cause as NodeJS.ErrnoException
    const why = whys[code] ?? `cannot be read (${code})`
    throw new CommandError(`${path} ${why}`, { hint: 'Is the path right?', cause })
  }
}

const tooLarge = (path: string, most: number) =>
  new CommandError(`${path} is larger than ${formatBytes(most)}`, {
    hint: 'The service takes no more.',
  })

/** @throws CommandError for what is no UTF-8 */
export async function readText(path: string, most = maxJsonBytes): Promise<string> {
  return decoded(path, await readBytes(path, most))
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${path} is no UTF-8 text`)
  }
}

export const readPolicy = (path: string): Promise<string> => readText(path, maxPolicyBytes)

/** @throws CommandError for what is no JSON; integers of any size are exact */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(path, await readText(path))
}

/** Parameters of a policy: a file without any is read as the service reads a client without any. */
export async function readParams(path: string): Promise<unknown> {
  return parseJson(path, policyParamsJson(await readText(path)))
}

/** @param name file or flag, for the error */
export function parseJson(name: string, text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    throw new CommandError(`${name} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Arguments of an oracle: a string of the caller's, JSON by custom (section 1). */
export function checkWasmArgs(name: string, text: string): string {
  if (Buffer.byteLength(text) > maxWasmArgsBytes) {
    throw new CommandError(`${name} is larger than ${formatBytes(maxWasmArgsBytes)}`, {
      hint: 'The service takes no more as wasm_args.',
    })
  }
  return text
}

/** The text of a file of arguments, without the line end that editors put there. */
export async function readWasmArgs(path: string): Promise<string> {
  return checkWasmArgs(path, (await readText(path)).replace(/\r?\n$/, ''))
}

export type SecretsFile = { readonly bytes: Uint8Array; readonly secrets: Secrets }

/** @throws CommandError for what the service would not accept; no word of it is repeated */
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
 * A component: a file of one, or a source that is made into one on the way (`.js`, `.wat`).
 *
 * @param note told when that takes long, as it does the first time of JavaScript
 */
export async function readComponent(
  path: string,
  note: (text: string) => void,
): Promise<Uint8Array> {
  if (!/\.(js|wat)$/.test(path)) return await readBytes(path, defaultOracleLimits.componentBytes)
  // That it is there is found out here: what the builder says of it is of the builder.
  await readText(path)
  const { buildComponent } = await import('polgate-fixtures/oracles/build.ts')
  const name = basename(path).replace(/\.\w+$/, '')
  try {
    return await buildComponent(
      { name: /^[\w-]{1,60}$/.test(name) ? name : 'oracle', path },
      {
        onProgress: ({ state }) => {
          if (state === 'building' && path.endsWith('.js'))
            note(`building a component from ${path}, once`)
        },
      },
    )
  } catch (cause) {
    throw new CommandError(`${path}: ${(cause as Error).message}`, { cause })
  }
}
