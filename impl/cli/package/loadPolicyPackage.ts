import { realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { CommandError } from '../commandDefinition.ts'
import { parseJson, readPolicy, readText, readWasmArgs } from '../policy/inputFiles.ts'
import { hostName } from '../policy/test/secretHosts.ts'
import { yamlReader } from './checkedYaml.ts'
import { PackageDescription } from './packageSchema.ts'
import {
  type PackageClient,
  type PackageOracle,
  type PolicyPackage,
  packageFileName,
  type TextFile,
} from './policyPackage.ts'

const readDescription = yamlReader(PackageDescription, 'a policy package')

type Place = readonly (string | number)[]

/**
 * Reads and validates a policy package. All files that it names exist, lie inside its folder (symbolic
 * links included) and are within the limits of the service; JSON files are JSON.
 *
 * @param directory of `policy.yaml`
 * @throws CommandError with `file:line:column`
 */
export async function loadPolicyPackage(directory: string): Promise<PolicyPackage> {
  const file = await packageFile(directory)
  const { value, placeOf } = await readDescription(file)
  const root = await realpath(directory)
  const files = new Set([file])

  async function inside(name: string, ...place: Place): Promise<string> {
    const path = resolve(root, name)
    const real = await realpath(path).catch(() => undefined)
    const outside = [path, real ?? path].some((each) => {
      const from = relative(root, each)
      return from === '..' || from.startsWith(`..${sep}`) || from === '' || resolve(from) === from
    })
    if (outside) {
      throw new CommandError(`${placeOf(...place)} ${name} is outside of the package`, {
        hint: 'A package contains all its files, so that it can be copied and published.',
      })
    }
    const found = real === undefined ? undefined : await stat(real)
    if (found?.isFile() !== true) {
      const why = found === undefined ? 'does not exist' : 'is not a file'
      throw new CommandError(`${placeOf(...place)} ${name} ${why}`, {
        hint: `Paths are relative to ${root}.`,
      })
    }
    files.add(path)
    return path
  }
  const optional = async (name: string | undefined, ...place: Place) =>
    name === undefined ? undefined : await inside(name, ...place)
  const text = async (name: string | undefined, ...place: Place): Promise<TextFile | undefined> => {
    const path = await optional(name, ...place)
    return path === undefined ? undefined : { path, text: await readText(path) }
  }
  const object = async (name: string | undefined, ...place: Place) => {
    const read = await text(name, ...place)
    if (read !== undefined) requireObject(read)
    return read
  }

  async function oracleOf(at: number): Promise<PackageOracle> {
    const oracle = value.oracles![at]!
    const place = (member: string): Place => ['oracles', at, member]
    const first = value.oracles!.findIndex(({ id }) => id === oracle.id)
    if (first !== at) {
      throw new CommandError(`${placeOf(...place('id'))} the id ${oracle.id} is used twice`, {
        hint: `It is the id of ${placeOf('oracles', first, 'id')}: each is one member of data.wasm.`,
      })
    }
    if (oracle.testSecrets !== undefined && oracle.secretsSchema === undefined) {
      throw new CommandError(
        `${placeOf(...place('testSecrets'))} oracle ${oracle.id} has secrets but no secretsSchema`,
        { hint: 'The service requires a schema for secrets: add secretsSchema.' },
      )
    }
    const args = await optional(oracle.wasmArgs, ...place('wasmArgs'))
    return {
      id: oracle.id,
      source: await inside(oracle.source, ...place('source')),
      wasmArgs: args === undefined ? undefined : { path: args, text: await readWasmArgs(args) },
      wasmArgsSchema: await object(oracle.wasmArgsSchema, ...place('wasmArgsSchema')),
      secretsSchema: await object(oracle.secretsSchema, ...place('secretsSchema')),
      testSecrets: await optional(oracle.testSecrets, ...place('testSecrets')),
      allowedHosts: (oracle.allowedHosts ?? []).map(hostName),
    }
  }

  async function clientOf(): Promise<PackageClient> {
    const { contract = 'sample', constructorArguments = {}, expireAfter = 300 } = value.client ?? {}
    const { initialize, setPolicy, restrictsTarget } = value.client ?? {}
    const calls = setPolicy === undefined || Array.isArray(setPolicy) ? setPolicy : [setPolicy]
    const shared = {
      ...{ constructorArguments, expireAfter, initialize, setPolicy: calls, restrictsTarget },
    }
    if (contract === 'sample' || contract === 'withoutDomain' || contract === 'tokenVault')
      return { ...shared, contract: { kind: contract } }
    const artifact = await object(contract, 'client', 'contract')
    return { ...shared, contract: { kind: 'artifact', artifact: artifact! } }
  }

  const oracles: PackageOracle[] = []
  for (const at of (value.oracles ?? []).keys()) oracles.push(await oracleOf(at))
  const tests: string[] = []
  for (const [at, name] of (value.tests ?? []).entries())
    tests.push(await inside(name, 'tests', at))
  const policy = await inside(value.policy, 'policy')
  return {
    directory: root,
    file,
    name: value.name,
    entrypoint: (value.entrypoint ?? 'policy.allow').replace(/^data\./, ''),
    policy: { path: policy, text: await readPolicy(policy) },
    params: await object(value.params, 'params'),
    paramsSchema: await object(value.paramsSchema, 'paramsSchema'),
    oracles,
    client: await clientOf(),
    intent: await optional(value.intent, 'intent'),
    intentDomain: await optional(value.intentDomain, 'intentDomain'),
    testPrivateData: await optional(value.testPrivateData, 'testPrivateData'),
    tests,
    cases: await optional(value.cases, 'cases'),
    mocks: await optional(value.mocks, 'mocks'),
    exchanges: await optional(value.exchanges, 'exchanges'),
    files: [...files],
    placeOf,
  }
}

async function packageFile(directory: string): Promise<string> {
  const found = await stat(directory).catch(() => undefined)
  if (found?.isDirectory() !== true) {
    throw new CommandError(`${directory} ${found ? 'is not a folder' : 'does not exist'}`, {
      hint: `A policy package is a folder with ${packageFileName}; policy init writes one.`,
    })
  }
  const file = join(await realpath(directory), packageFileName)
  if ((await stat(file).catch(() => undefined))?.isFile() === true) return file
  throw new CommandError(`${directory} has no ${packageFileName}`, {
    hint: 'polgate policy init writes a package, polgate policy import converts a folder in another layout.',
  })
}

function requireObject({ path, text }: TextFile): void {
  const value = parseJson(path, text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw new CommandError(`${path} is not a JSON object`, {
    hint: 'Write an object, {} if it has no members.',
  })
}
