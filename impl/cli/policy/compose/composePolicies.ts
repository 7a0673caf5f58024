import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { isKeyword } from 'polgate-rego/syntax/tokens.ts'
import { stringify } from 'yaml'
import { CommandError } from '../../commandDefinition.ts'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import type { PackageDescription } from '../../package/packageSchema.ts'
import type { PackageOracle, PolicyPackage } from '../../package/policyPackage.ts'
import { packageArguments, sharedArguments } from '../../package/resolvedCase.ts'
import { editorFiles } from '../../rego/capabilitiesDocument.ts'
import { type NewFiles, refuseTaken, writePackage } from '../newPackage.ts'
import { note } from '../notes.ts'
import { composedCases } from './composedCases.ts'
import { composedMocks } from './composedMocks.ts'
import { composedParams, composedParamsSchema } from './composedParams.ts'
import { type ComposedPart, composedPolicy } from './composedPolicy.ts'

export type ComposeOptions = { readonly output: string }

const casesHead =
  '# Change the first case if its intent is not allowed. What one policy refuses is refused. Add cases that are allowed.\n'

/** Names at the top of the composed policy. */
const taken = new Set(['allow', 'deny', 'data', 'input'])

/**
 * `polgate policy compose`: writes a package that allows what all of the given ones allow, with the oracles of all.
 *
 * @throws CommandError where two packages cannot be one: equal ids of oracles, different values of an argument or
 * contracts of the client
 */
export async function composePolicies(
  folders: readonly string[],
  { output }: ComposeOptions,
): Promise<void> {
  await refuseTaken(output)
  const parts: ComposedPart[] = []
  for (const folder of folders) parts.push(partOf(await loadPolicyPackage(folder), parts))
  sharedArguments(packageArguments(parts.flatMap(({ given }) => given.oracles)))
  const files: NewFiles = new Map(editorFiles())
  const description = await composed(parts, nameOf(output), files)
  files.set('policy.yaml', stringify(description))
  await writePackage(output, files)
  console.log(`next: polgate policy test ${output}`)
}

function identifier(name: string): string {
  const words = name.replaceAll('-', '_')
  return isKeyword(words) || taken.has(words) ? `${words}_` : words
}

function partOf(given: PolicyPackage, others: readonly ComposedPart[]): ComposedPart {
  const namespace = identifier(given.name)
  const other = others.find((each) => each.namespace === namespace)
  if (other === undefined) return { given, namespace }
  throw new CommandError(
    `${other.given.file} and ${given.file} have the same name: ${given.name}`,
    {
      hint: 'Parameters and rules are named after the package: change name in one of them.',
    },
  )
}

function nameOf(output: string): string {
  const name = basename(resolve(output))
  if (/^[a-z][a-z0-9-]{0,62}$/.test(name)) return name
  throw new CommandError(`${name} is not the name of a package`, {
    hint: 'The folder of --output gives the name: lower-case letters, digits and hyphens.',
  })
}

async function composed(
  parts: readonly ComposedPart[],
  name: string,
  files: NewFiles,
): Promise<PackageDescription> {
  const own = parts.some(({ namespace }) => namespace === identifier(name))
    ? `${identifier(name)}_all`
    : identifier(name)
  const { policy, tests } = await composedPolicy(parts, own)
  files.set('policy.rego', policy)
  for (const test of tests) files.set(`tests/${test.name}`, test.source)
  const params = composedParams(parts)
  const paramsSchema = composedParamsSchema(parts)
  const mocks = await composedMocks(parts)
  if (params !== undefined) files.set('params.json', `${params}\n`)
  if (paramsSchema !== undefined) files.set('params.schema.json', `${paramsSchema}\n`)
  if (mocks !== undefined) files.set('mocks.yaml', stringify(mocks))
  const oracles = await oraclesOf(parts, files)
  files.set('cases.yaml', casesHead + stringify(await composedCases(parts)))
  const intent = await intentOf(parts, files)
  return {
    ...{ name, policy: 'policy.rego', entrypoint: `data.${own}.allow` },
    ...(params !== undefined && { params: 'params.json' }),
    ...(paramsSchema !== undefined && { paramsSchema: 'params.schema.json' }),
    ...(oracles.length > 0 && { oracles }),
    client: clientOf(parts),
    ...(intent !== undefined && { intent }),
    ...(tests.length > 0 && { tests: tests.map((test) => `tests/${test.name}`) }),
    cases: 'cases.yaml',
    ...(mocks !== undefined && { mocks: 'mocks.yaml' }),
  }
}

type OracleDescription = NonNullable<PackageDescription['oracles']>[number]

async function oraclesOf(parts: readonly ComposedPart[], files: NewFiles) {
  const found = new Map<string, string>()
  const oracles: OracleDescription[] = []
  for (const { given } of parts)
    for (const oracle of given.oracles) {
      const other = found.get(oracle.id)
      if (other !== undefined)
        throw new CommandError(`${other} and ${given.file} both have an oracle ${oracle.id}`, {
          hint: 'Of two outputs with one id the policy sees only the last (section 5.3): rename one, also in its policy.',
        })
      found.set(oracle.id, given.file)
      oracles.push(await copied(oracle, files))
    }
  return oracles
}

/** An oracle with its files, which are named after it. */
async function copied(oracle: PackageOracle, files: NewFiles): Promise<OracleDescription> {
  const { id, source, wasmArgs, wasmArgsSchema, secretsSchema, testSecrets } = oracle
  const copy = async (path: string | undefined, end: string) => {
    if (path === undefined) return undefined
    const name = `oracles/${id}${end}`
    files.set(name, await readFile(path))
    return name
  }
  const all = {
    source: await copy(source, extname(source)),
    wasmArgs: await copy(wasmArgs?.path, '.args.json'),
    wasmArgsSchema: await copy(wasmArgsSchema?.path, '.args.schema.json'),
    secretsSchema: await copy(secretsSchema?.path, '.secrets.schema.json'),
    testSecrets: await copy(testSecrets, '.test-secrets.json'),
    allowedHosts: oracle.allowedHosts.length === 0 ? undefined : [...oracle.allowedHosts],
  }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  return { id, ...Object.fromEntries(given) } as OracleDescription
}

async function intentOf(parts: readonly ComposedPart[], files: NewFiles) {
  const [first, ...others] = parts.flatMap(({ given: { intent } }) => intent ?? [])
  if (first === undefined) return undefined
  if (others.length > 0) note(`intent.json is that of ${first}`)
  files.set('intent.json', await readFile(first))
  return 'intent.json'
}

/** The client that all packages have, with attestations that are valid as long as the shortest of theirs. */
function clientOf(parts: readonly ComposedPart[]): NonNullable<PackageDescription['client']> {
  const clients = parts.map(({ given }) => given.client)
  const [own, ...others] = parts.filter(
    ({ given: { client } }) => client.contract.kind !== 'sample',
  )
  if (others.length > 0 || own?.given.client.contract.kind === 'artifact')
    throw new CommandError(`${own?.given.file} has a client contract of its own`, {
      hint: 'Compose without client.contract and its calls, and write them into the policy.yaml of the result.',
    })
  const restrictions = clients.flatMap(({ restrictsTarget }) => restrictsTarget ?? [])
  return {
    ...(own && { contract: own.given.client.contract.kind }),
    expireAfter: Math.min(...clients.map(({ expireAfter }) => expireAfter)),
    ...(restrictions[0] !== undefined && { restrictsTarget: restrictions[0] }),
  }
}
