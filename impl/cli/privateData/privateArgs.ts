import { type ServiceClient, sealEphemeral } from 'polgate-client/index.ts'
import { CommandError } from '../commandDefinition.ts'
import { checkWasmArgs } from '../policy/inputFiles.ts'
import { readDataFile } from './dataFile.ts'

type Hex = `0x${string}`

/** Files of `--private NAME=FILE`, by name. */
export type PrivateFiles = ReadonlyMap<string, object>

/** Largest file of data of one task: `wasm_args` have 64 KiB, and sealing doubles the data. */
const maxBytes = 32 * 1024
const most = 8

/** Reads the files of `--private`. @throws CommandError, which contains nothing of the data */
export async function readPrivateFiles(given: readonly string[]): Promise<PrivateFiles> {
  const files = new Map<string, object>()
  for (const each of given) {
    const [, name, path] = /^([A-Za-z_]\w{0,63})=(.+)$/s.exec(each) ?? []
    if (name === undefined || path === undefined)
      throw new CommandError('--private is not NAME=FILE', {
        hint: 'The policy reads the JSON object of the file as data.privacy.NAME.',
      })
    if (files.has(name))
      throw new CommandError(`--private has the name ${name} twice`, { hint: 'Use two names.' })
    files.set(name, (await readDataFile(path, maxBytes)).value)
  }
  if (files.size > most)
    throw new CommandError(`--private is given ${files.size} times`, {
      hint: `A task takes at most ${most} objects: put several into one file.`,
    })
  return files
}

/**
 * Arguments of the oracles together with sealed data.
 *
 * @param wasmArgs JSON text of an object
 * @throws CommandError, ClientError; without the data
 */
export async function sealedWasmArgs(
  client: ServiceClient,
  files: PrivateFiles,
  { policyClient, wasmArgs }: { readonly policyClient: Hex; readonly wasmArgs: string | undefined },
): Promise<Hex> {
  const args: unknown = parsed(checkWasmArgs('--wasm-args', wasmArgs ?? '{}'))
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new CommandError('with --private, --wasm-args must be a JSON object', {
      hint: 'The sealed data becomes a member of it, which oracles do not see.',
    })
  return await sealEphemeral(client, {
    ...{ policyClient, wasmArgs: args as Readonly<Record<string, unknown>> },
    data: Object.fromEntries(files),
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
