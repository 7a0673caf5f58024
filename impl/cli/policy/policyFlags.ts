import { nearest } from 'polgate-rego/report/nearest.ts'
import { CommandError } from '../commandDefinition.ts'
import type { HttpOptions } from './httpOptions.ts'
import { checkWasmArgs } from './inputFiles.ts'
import { nameOfFile, type OracleFiles, type PackageFiles, packageFiles } from './policyPackage.ts'

export type SimulatePolicyOptions = HttpOptions & {
  readonly chainId?: string
  readonly policy?: string
  readonly oracle: readonly string[]
  readonly wasmArgs: readonly string[]
  readonly secretsFile: readonly string[]
  readonly secretsSchema: readonly string[]
  readonly params?: string
  readonly paramsSchema?: string
  readonly intent?: string
  readonly intentSignature?: string
  readonly intentDomain?: string
  readonly privateData?: string
  readonly entrypoint?: string
  readonly data?: string
  readonly expect?: string
}

type Given = {
  readonly files: PackageFiles
  /** Arguments by oracle; '' for the default. */
  readonly wasmArgs: ReadonlyMap<string, string>
}

/**
 * The files of a simulation: those of the folder, if given, overridden by the flags. `NAME=VALUE` is
 * for one oracle, `VALUE` for the only one.
 *
 * @throws CommandError
 */
export async function filesOf(
  directory: string | undefined,
  options: SimulatePolicyOptions,
): Promise<Given> {
  const folder = directory === undefined ? { oracles: [] } : await packageFiles(directory)
  const { data } = options
  if (data !== undefined && options.oracle.length > 0) {
    throw new CommandError('--data and --oracle exclude each other', {
      hint: '--data replaces the output of the oracles.',
    })
  }
  const named = data === undefined ? withFlags(folder.oracles, options) : []
  const names = named.map(({ name }) => name)
  return {
    files: {
      policy: options.policy ?? folder.policy,
      params: options.params ?? folder.params,
      paramsSchema: options.paramsSchema ?? folder.paramsSchema,
      intent: options.intent ?? folder.intent,
      intentDomain: options.intentDomain ?? folder.intentDomain,
      privateData: options.privateData ?? folder.privateData,
      entrypoint: options.entrypoint ?? folder.entrypoint,
      exchanges: folder.exchanges,
      oracles: named,
    },
    wasmArgs: new Map(
      options.wasmArgs.map((text) => {
        const [name, value] = splitName(text)
        if (name !== '') known('--wasm-args', name, names)
        return [name, checkWasmArgs('--wasm-args', value)]
      }),
    ),
  }
}

function withFlags(
  inFolder: readonly OracleFiles[],
  options: SimulatePolicyOptions,
): readonly OracleFiles[] {
  const files = new Map(inFolder.map((oracle) => [oracle.name, oracle]))
  for (const text of options.oracle) {
    const [given, component] = splitName(text)
    const name = given === '' ? nameOfFile(component) : given
    files.set(name, { ...files.get(name), name, component })
  }
  const set = (flag: string, texts: readonly string[], member: 'secrets' | 'secretsSchema') => {
    for (const text of texts) {
      const [given, path] = splitName(text)
      const name = given === '' ? only(flag, [...files.keys()]) : given
      known(flag, name, [...files.keys()])
      files.set(name, { ...files.get(name)!, [member]: path })
    }
  }
  set('--secrets-file', options.secretsFile, 'secrets')
  set('--secrets-schema', options.secretsSchema, 'secretsSchema')
  return [...files.values()]
}

/** Splits `NAME=VALUE`; JSON and paths have no name. */
export function splitName(text: string): readonly [name: string, value: string] {
  const [, name = '', value = text] = /^([A-Za-z_][\w-]*)=(.*)$/s.exec(text) ?? []
  return [name, value]
}

function known(flag: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  const meant = nearest(name, names)
  throw new CommandError(`${flag}: unknown oracle ${name}`, {
    hint:
      meant === undefined
        ? `Oracles are: ${names.join(', ') || 'none'}.`
        : `Did you mean ${meant}?`,
  })
}

function only(flag: string, names: readonly string[]): string {
  const [name] = names
  if (names.length === 1 && name !== undefined) return name
  throw new CommandError(`${flag} requires NAME=FILE unless there is exactly one oracle`, {
    hint: `Oracles are: ${names.join(', ') || 'none'}.`,
  })
}
