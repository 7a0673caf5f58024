import { basename, dirname } from 'node:path'
import { CommandError } from '../commandDefinition.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import type { PackageOracle } from '../package/policyPackage.ts'
import { sharedArguments } from '../package/resolvedCase.ts'
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
  /** Identity, confidential and ephemeral data. */
  readonly privateData?: string | undefined
  /** The rule that decides. */
  readonly entrypoint?: string | undefined
  /** Recorded HTTP exchanges of the oracles. */
  readonly exchanges?: string | undefined
  /** In the order of the PolicyData contracts. */
  readonly oracles: readonly OracleFiles[]
}

/**
 * The files of a policy package that a simulation reads.
 *
 * @throws CommandError if the folder is not a policy package
 */
export async function packageFiles(directory: string): Promise<PackageFiles> {
  const loaded = await loadPolicyPackage(directory)
  const { intent, intentDomain, exchanges, entrypoint } = loaded
  return {
    ...{ intent, intentDomain, exchanges, entrypoint },
    policy: loaded.policy.path,
    params: loaded.params?.path,
    paramsSchema: loaded.paramsSchema?.path,
    privateData: loaded.testPrivateData,
    oracles: loaded.oracles.map(oracleFilesOf),
  }
}

export const oracleFilesOf = (oracle: PackageOracle): OracleFiles => ({
  name: oracle.id,
  component: oracle.source,
  wasmArgs: oracle.wasmArgs?.path,
  secrets: oracle.testSecrets,
  secretsSchema: oracle.secretsSchema?.path,
})

/** Default name of an oracle: its file name, or its folder for `oracle.wasm`. */
export function nameOfFile(path: string): string {
  const name = basename(path).replace(/\.\w+$/, '')
  return name === 'oracle' ? basename(dirname(path)) : name
}

/**
 * Reads the files of the oracles. Each gets the arguments of all, as in a task.
 *
 * @throws CommandError
 */
export async function readOracles(
  files: readonly OracleFiles[],
  shared: {
    /** Overrides by oracle; '' for all. */
    readonly wasmArgs: ReadonlyMap<string, string>
    readonly note: (text: string) => void
  },
): Promise<{ inputs: OracleInput[]; secrets: Map<string, Readonly<Record<string, string>>> }> {
  const secrets = new Map<string, Readonly<Record<string, string>>>()
  const inputs: (OracleInput & { readonly name: string })[] = []
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
      secretsSchema:
        secretsSchema === undefined
          ? undefined
          : { path: secretsSchema, text: await readText(secretsSchema) },
    })
  }
  const wasmArgs = sharedArguments(inputs.map(({ name, wasmArgs: text }) => ({ id: name, text })))
  return { inputs: inputs.map((input) => ({ ...input, wasmArgs })), secrets }
}
