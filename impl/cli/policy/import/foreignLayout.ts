import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path/posix'
import { CommandError } from '../../commandDefinition.ts'
import { readText } from '../inputFiles.ts'
import { isModuleOfOracle } from './ownModule.ts'

/** Files of one oracle in a folder of another layout; names relative to that folder. */
export type ForeignOracle = {
  /** That its folder or its file has, where there are several; undefined for the only one. */
  readonly id: string | undefined
  readonly source: string
  readonly wasmArgs: string | undefined
  readonly wasmArgsSchema: string | undefined
  readonly secretsSchema: string | undefined
  readonly secrets: string | undefined
}

export type ForeignLayout = {
  readonly policy: string
  readonly tests: readonly string[]
  readonly params: string | undefined
  readonly paramsSchema: string | undefined
  readonly intent: string | undefined
  readonly intentDomain: string | undefined
  readonly exchanges: string | undefined
  readonly oracles: readonly ForeignOracle[]
}

/** Names that packages in the field have, by what the file is; the first that exists counts. */
const names = {
  policy: ['policy.rego', 'main.rego'],
  params: [
    ...['params.json', 'policy_params.json', 'policyParams.json', 'policy.params.json'],
    ...['policy-params.json', 'manifest.json'],
  ],
  paramsSchema: [
    ...['params_schema.json', 'params.schema.json', 'paramsSchema.json', 'params-schema.json'],
    ...['policy_params_schema.json', 'policyParamsSchema.json'],
  ],
  intent: ['intent.json', 'example_intent.json', 'exampleIntent.json', 'example-intent.json'],
  intentDomain: ['intent_domain.json', 'intentDomain.json'],
  exchanges: ['exchanges.yaml', 'exchanges.har'],
  source: [
    ...['policy.js', 'oracle.js', 'index.js', 'policy.ts', 'oracle.ts', 'index.ts'],
    ...['policy.wasm', 'oracle.wasm', 'policy.wat', 'oracle.wat'],
  ],
  wasmArgs: ['wasm_args.json', 'wasmArgs.json', 'wasm-args.json', 'args.json'],
  wasmArgsSchema: ['wasm_args_schema.json', 'wasm_args.schema.json', 'wasmArgsSchema.json'],
  secretsSchema: ['secrets_schema.json', 'secrets.schema.json', 'secretsSchema.json'],
  secrets: ['secrets.json', 'test_secrets.json'],
} as const

/** What tools write, or is not a part of the policy. */
const skipped = /^(node_modules|coverage|\..*)$/
/** Where built components are; looked into if there is no source. */
const built = /(^|\/)(dist|build|target|out)\//
const isSource = /\.(js|ts|wat|wasm)$/
const isOther = /(\.|_)(test|spec|config)\.(js|ts)$|\.d\.ts$/
const deepest = 5
const mostFiles = 5_000

/**
 * Finds the files of a policy by their names, in any folder: one Rego policy, and oracles, whose other files are in
 * the same folder, or anywhere if there is one oracle.
 *
 * @throws CommandError if there is no policy, or several
 */
export async function foreignLayout(directory: string): Promise<ForeignLayout> {
  const found = await stat(directory).catch(() => undefined)
  if (found?.isDirectory() !== true)
    throw new CommandError(`${directory} ${found ? 'is not a folder' : 'does not exist'}`, {
      hint: 'Pass the folder of a policy.',
    })
  const all = await filesBelow(directory, '', 0)
  if (all.includes('policy.yaml')) {
    throw new CommandError(`${directory} is a policy package already`, {
      hint: 'It has policy.yaml: polgate policy test tests it.',
    })
  }
  const files = all.filter((name) => !built.test(name))
  const rego = files.filter((name) => name.endsWith('.rego'))
  const policies = rego.filter((name) => !name.endsWith('_test.rego'))
  const policy = first(policies, names.policy) ?? (policies.length === 1 ? policies[0] : undefined)
  if (policy === undefined) {
    throw new CommandError(
      policies.length === 0
        ? `${directory} has no .rego file`
        : `${directory} has several policies: ${policies.slice(0, 10).join(', ')}`,
      { hint: 'A package has one policy, named policy.rego: a Policy contract names one module.' },
    )
  }
  const sources = await sourcesIn(directory, files)
  const chosen = sources.length > 0 ? sources : await sourcesIn(directory, all)
  const alone = chosen.length === 1
  return {
    policy,
    tests: rego.filter((name) => name.endsWith('_test.rego')),
    params: first(files, names.params),
    paramsSchema: first(files, names.paramsSchema),
    intent: first(files, names.intent),
    intentDomain: first(files, names.intentDomain),
    exchanges: first(files, names.exchanges) ?? files.find((name) => name.endsWith('.har')),
    oracles: chosen.map((source) => oracleOf(source, files, alone)),
  }
}

/** One source of each folder by its name, those of a folder oracles, or the only one that exports what a host calls. */
async function sourcesIn(directory: string, files: readonly string[]): Promise<readonly string[]> {
  const sources = files.filter((name) => isSource.test(name) && !isOther.test(name))
  const folders = new Map<string, string[]>()
  for (const name of sources) {
    const folder = dirname(name)
    folders.set(folder, [...(folders.get(folder) ?? []), name])
  }
  const found = [...folders].flatMap(([folder, inside]) =>
    basename(folder) === 'oracles' ? inside : (first(inside, names.source) ?? []),
  )
  if (found.length > 0 || sources.length > mostUnnamed) return found
  const oracles: string[] = []
  for (const name of sources) if (await mayBeOracle(join(directory, name))) oracles.push(name)
  return oracles.length === 1 ? oracles : []
}

/** Sources with other names, which are read. */
const mostUnnamed = 50

/** What exports nothing to call is an example or a tool. */
async function mayBeOracle(path: string): Promise<boolean> {
  return !/\.(js|ts)$/.test(path) || isModuleOfOracle(await readText(path))
}

function oracleOf(source: string, files: readonly string[], alone: boolean): ForeignOracle {
  const folder = dirname(source)
  const beside = files.filter((name) => dirname(name) === folder)
  const other = (wanted: readonly string[]) =>
    first(beside, wanted) ?? (alone ? first(files, wanted) : undefined)
  const stem = basename(source, extname(source))
  const isGeneric = (names.source as readonly string[]).includes(basename(source))
  return {
    // The folder of the only oracle may have any name.
    id: isGeneric ? (folder === '.' ? undefined : basename(folder)) : stem,
    source,
    wasmArgs: other(names.wasmArgs),
    wasmArgsSchema: other(names.wasmArgsSchema),
    secretsSchema: other(names.secretsSchema),
    secrets: other(names.secrets),
  }
}

/** The file with the first of these names; of several, the one that is least deep. */
const first = (files: readonly string[], wanted: readonly string[]): string | undefined =>
  wanted
    .map(
      (name) =>
        files
          .filter((file) => basename(file) === name)
          .sort((a, b) => a.split('/').length - b.split('/').length)[0],
    )
    .find((file) => file !== undefined)

/** Sorted, with `/`. @throws CommandError for a folder with too much in it */
async function filesBelow(directory: string, at: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(directory, at), { withFileTypes: true }).catch(() => [])
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    if (entry.isFile()) files.push(path)
    else if (entry.isDirectory() && !skipped.test(entry.name) && depth < deepest)
      files.push(...(await filesBelow(directory, path, depth + 1)))
    if (files.length > mostFiles)
      throw new CommandError(`${directory} has more than ${mostFiles} files`, {
        hint: 'Name the folder of the policy alone.',
      })
  }
  return files
}
