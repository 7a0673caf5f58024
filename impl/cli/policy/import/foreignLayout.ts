import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CommandError } from '../../commandDefinition.ts'

/** Files of one oracle in a folder of another layout; names relative to that folder. */
export type ForeignOracle = {
  /** Of its folder, where there are several; undefined for the one beside the policy. */
  readonly folder: string | undefined
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
  params: ['params.json', 'policy_params.json', 'policyParams.json', 'policy.params.json'],
  paramsSchema: [
    ...['params_schema.json', 'params.schema.json', 'paramsSchema.json'],
    ...['policy_params_schema.json', 'policyParamsSchema.json'],
  ],
  intent: ['intent.json', 'example_intent.json', 'exampleIntent.json'],
  intentDomain: ['intent_domain.json', 'intentDomain.json'],
  exchanges: ['exchanges.yaml'],
  source: [
    ...['policy.js', 'oracle.js', 'policy.ts', 'oracle.ts', 'policy.wasm', 'oracle.wasm'],
    ...['policy.wat', 'oracle.wat'],
  ],
  wasmArgs: ['wasm_args.json', 'wasmArgs.json', 'args.json'],
  wasmArgsSchema: ['wasm_args_schema.json', 'wasm_args.schema.json', 'wasmArgsSchema.json'],
  secretsSchema: ['secrets_schema.json', 'secrets.schema.json', 'secretsSchema.json'],
  secrets: ['secrets.json', 'test_secrets.json'],
} as const

/**
 * Finds the files of a policy by their names: a Rego policy with an oracle beside it (`policy.js`), or with
 * oracles in folders of `oracles`.
 *
 * @throws CommandError if there is no policy, or several
 */
export async function foreignLayout(directory: string): Promise<ForeignLayout> {
  const found = await stat(directory).catch(() => undefined)
  if (found?.isDirectory() !== true)
    throw new CommandError(`${directory} ${found ? 'is not a folder' : 'does not exist'}`)
  const files = await filesIn(directory)
  if (files.includes('policy.yaml')) {
    throw new CommandError(`${directory} is a policy package already`, {
      hint: 'It has policy.yaml: polgate policy test tests it.',
    })
  }
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
  const beside = oracleIn(files, undefined)
  const folders = await foldersIn(join(directory, 'oracles'))
  const below = await Promise.all(
    folders.map(async (name) => oracleIn(await filesIn(join(directory, 'oracles', name)), name)),
  )
  return {
    policy,
    tests: rego.filter((name) => name.endsWith('_test.rego')),
    params: first(files, names.params),
    paramsSchema: first(files, names.paramsSchema),
    intent: first(files, names.intent),
    intentDomain: first(files, names.intentDomain),
    exchanges: first(files, names.exchanges),
    oracles: [beside, ...below].filter((each) => each !== undefined),
  }
}

function oracleIn(files: readonly string[], folder: string | undefined): ForeignOracle | undefined {
  const source = first(files, names.source)
  if (source === undefined) return undefined
  const at = (name: string | undefined) =>
    name === undefined || folder === undefined ? name : `oracles/${folder}/${name}`
  return {
    folder,
    source: at(source)!,
    wasmArgs: at(first(files, names.wasmArgs)),
    wasmArgsSchema: at(first(files, names.wasmArgsSchema)),
    secretsSchema: at(first(files, names.secretsSchema)),
    secrets: at(first(files, names.secrets)),
  }
}

const first = (files: readonly string[], wanted: readonly string[]): string | undefined =>
  wanted.find((name) => files.includes(name))

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => basename(name))
    .sort()
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}
