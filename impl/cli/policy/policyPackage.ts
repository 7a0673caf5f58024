import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../commandDefinition.ts'
import { readComponent, readSecrets, readText, readWasmArgs } from './inputFiles.ts'
import type { OracleInput } from './simulator.ts'

/** Paths of an oracle's files. */
export type OracleFiles = {
  /** By convention the pack id: the key of its output in `data.wasm`. */
  readonly name: string
  readonly component: string
  readonly wasmArgs?: string | undefined
  readonly secrets?: string | undefined
  readonly secretsSchema?: string | undefined
}

/** Paths of a policy's files; undefined for files that do not exist. */
export type PackageFiles = {
  readonly policy?: string | undefined
  readonly params?: string | undefined
  readonly paramsSchema?: string | undefined
  readonly intent?: string | undefined
  /** The client's signing domain. */
  readonly intentDomain?: string | undefined
  /** Default arguments of the oracles. */
  readonly wasmArgs?: string | undefined
  /** Recorded HTTP exchanges of the oracles. */
  readonly exchanges?: string | undefined
  /** Sorted by name, which is the order of the PolicyData contracts. */
  readonly oracles: readonly OracleFiles[]
}

const sources = ['oracle.wasm', 'oracle.js', 'oracle.wat']

/**
 * Finds the files of a policy package: `policy.rego`, `params.json`, `params.schema.json`, `intent.json`,
 * `intent_domain.json`, `wasm_args.json`, and for each oracle `oracles/<pack>/` with `oracle.wasm` (or
 * `.js`, `.wat`), `wasm_args.json`, `secrets.json`, `secrets.schema.json`.
 *
 * @throws CommandError if the folder is not a policy package
 */
export async function packageFiles(directory: string): Promise<PackageFiles> {
  const found = await stat(directory).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw new CommandError(`${directory} ${found ? 'is not a folder' : 'does not exist'}`, {
      hint: 'Pass a folder that contains policy.rego, or single files: --policy FILE --intent FILE.',
    })
  }
  const at = (name: string) => present(join(directory, name))
  const [policy, params, paramsSchema, intent, intentDomain, wasmArgs, exchanges] =
    await Promise.all(
      [
        ...['policy.rego', 'params.json', 'params.schema.json', 'intent.json'],
        ...['intent_domain.json', 'wasm_args.json', 'exchanges.yaml'],
      ].map(at),
    )
  if (policy === undefined) {
    throw new CommandError(`${join(directory, 'policy.rego')} does not exist`, {
      hint: 'A package is a folder with policy.rego, intent.json and oracles/<pack>/oracle.wasm.',
    })
  }
  const packs = await packFolders(join(directory, 'oracles'))
  const oracles = await Promise.all(packs.map((folder) => oracleFiles(folder)))
  return { policy, params, paramsSchema, intent, intentDomain, wasmArgs, exchanges, oracles }
}

async function packFolders(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(directory, name))
    .sort()
}

async function oracleFiles(folder: string): Promise<OracleFiles> {
  const at = (name: string) => present(join(folder, name))
  const [component] = (await Promise.all(sources.map(at))).filter((path) => path !== undefined)
  if (component === undefined) {
    throw new CommandError(`${folder} has no oracle`, {
      hint: `Add one of ${sources.join(', ')}.`,
    })
  }
  return {
    name: basename(folder),
    component,
    wasmArgs: await at('wasm_args.json'),
    secrets: await at('secrets.json'),
    secretsSchema: await at('secrets.schema.json'),
  }
}

const present = (path: string): Promise<string | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? path : undefined),
    () => undefined,
  )

/** Default name of an oracle: its file name, or its folder for `oracle.wasm`. */
export function nameOfFile(path: string): string {
  const name = basename(path).replace(/\.\w+$/, '')
  return name === 'oracle' ? basename(dirname(path)) : name
}

/** Reads the files of the oracles. @throws CommandError */
export async function readOracles(
  files: readonly OracleFiles[],
  shared: {
    /** Overrides by oracle; '' for all. */
    readonly wasmArgs: ReadonlyMap<string, string>
    readonly note: (text: string) => void
  },
): Promise<{ inputs: OracleInput[]; secrets: Map<string, Readonly<Record<string, string>>> }> {
  const secrets = new Map<string, Readonly<Record<string, string>>>()
  const inputs: OracleInput[] = []
  for (const { name, component, wasmArgs, secrets: path, secretsSchema } of files) {
    const file = path === undefined ? undefined : await readSecrets(path)
    if (file !== undefined && secretsSchema === undefined) {
      throw new CommandError(`oracle ${name} has secrets but no secrets schema`, {
        hint: 'The service requires a schema for secrets: add secrets.schema.json.',
      })
    }
    secrets.set(name, file?.secrets ?? {})
    const given = shared.wasmArgs.get(name) ?? shared.wasmArgs.get('')
    inputs.push({
      name,
      component: await readComponent(component, shared.note),
      wasmArgs: given ?? (wasmArgs === undefined ? '' : await readWasmArgs(wasmArgs)),
      secrets: file?.bytes,
      secretsSchema: secretsSchema === undefined ? undefined : await readText(secretsSchema),
    })
  }
  return { inputs, secrets }
}
