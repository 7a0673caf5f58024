import { basename, extname, join } from 'node:path'
import { CommandError } from '../../commandDefinition.ts'
import type { PackageDescription } from '../../package/packageSchema.ts'
import { parseJson, readBytes, readText } from '../inputFiles.ts'
import { note } from '../notes.ts'
import { jsonText } from './convertedJson.ts'
import { hostsIn } from './derivedTests.ts'
import type { ForeignOracle } from './foreignLayout.ts'
import { ownModule } from './ownModule.ts'
import { ownComponent, ownHostInterface } from './ownNames.ts'
import { argumentsIn, secretsIn } from './sourceReads.ts'
import { isAddress, placeholder, stubOf, stubSecretsOf } from './stubs.ts'

type OracleDescription = NonNullable<PackageDescription['oracles']>[number]

export type ImportedOracle = {
  readonly description: OracleDescription
  /** By path below the package. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** Hosts that it asks, as mocks name them. */
  readonly hosts: readonly string[]
}

const maxComponentBytes = 64 * 1024 * 1024

/**
 * An oracle of a folder in another layout, with stubs of what it needs and the folder does not have: arguments, a schema
 * of the secrets that it reads, and test secrets.
 *
 * @param ids below data.wasm that the policy reads
 * @param count of all oracles
 * @throws CommandError
 */
export async function importedOracle(
  directory: string,
  oracle: ForeignOracle,
  { ids, count }: { readonly ids: readonly string[]; readonly count: number },
): Promise<ImportedOracle> {
  const id = idOf(oracle, count, ids)
  const code = await oracleSource(join(directory, oracle.source))
  const source = `oracles/${id}${extname(oracle.source)}`
  const files = new Map<string, string | Uint8Array>([[source, code]])
  const description: OracleDescription = { id, source }

  async function add(
    member: 'wasmArgs' | 'wasmArgsSchema' | 'secretsSchema' | 'testSecrets',
    suffix: string,
    file: string | undefined,
    stub?: () => unknown,
  ): Promise<string | undefined> {
    const made = file === undefined ? stub?.() : undefined
    if (file === undefined && made === undefined) return undefined
    const text = file === undefined ? jsonText(made) : await readText(join(directory, file))
    const name = `oracles/${id}.${suffix}.json`
    files.set(name, text)
    description[member] = name
    return text
  }
  const parsed = (file: string | undefined, text: string | undefined) =>
    text === undefined ? undefined : parseJson(file ?? id, text)

  const argsSchema = await add('wasmArgsSchema', 'args.schema', oracle.wasmArgsSchema)
  await add('wasmArgs', 'args', oracle.wasmArgs, () => {
    const stub =
      argsSchema === undefined
        ? stubArguments(code)
        : stubOf(parsed(oracle.wasmArgsSchema, argsSchema))
    if (Object.keys(stub).length === 0) return undefined
    note(`oracles/${id}.args.json: fill in ${Object.keys(stub).join(', ')} where it says so`)
    return stub
  })
  const schema = await add('secretsSchema', 'secrets.schema', oracle.secretsSchema, () => {
    const names = typeof code === 'string' ? secretsIn(code) : undefined
    if (names === undefined) return undefined
    note(
      `oracles/${id}.secrets.schema.json is made of the names in the source: ${names.join(', ') || 'none was found'}; compare it`,
    )
    return schemaOfSecrets(names)
  })
  const secrets =
    schema === undefined
      ? undefined
      : await add('testSecrets', 'test-secrets', oracle.secrets, () =>
          stubSecretsOf(parsed(oracle.secretsSchema, schema)),
        )
  const names = Object.keys(Object(parsed(oracle.secrets, secrets)))
  const secretHosts = names.filter(isAddress).map((name) => `\${secret:${id}/${name}}`)
  return { description, files, hosts: [...hostsIn(code), ...secretHosts] }
}

const stubArguments = (code: string | Uint8Array) =>
  Object.fromEntries(
    (typeof code === 'string' ? argumentsIn(code) : []).map((name) => [
      name,
      placeholder(`argument ${name}`),
    ]),
  )

const schemaOfSecrets = (names: readonly string[]) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
  required: names,
  additionalProperties: names.length === 0 ? { type: 'string' } : false,
})

async function oracleSource(path: string): Promise<string | Uint8Array> {
  if (path.endsWith('.wasm')) {
    const { component, from } = ownComponent(path, await readBytes(path, maxComponentBytes))
    if (from.length > 0) note(`${basename(path)}: renamed ${from.join(', ')}`)
    return component
  }
  const { text, from } = ownHostInterface(await readText(path))
  if (from.length > 0) note(`${basename(path)}: renamed ${from.join(', ')}`)
  return path.endsWith('.wat') ? text : ownModule(path, text)
}

/** That of its folder or file, or the only one that the policy reads. @throws CommandError */
function idOf({ id: given, source }: ForeignOracle, count: number, ids: readonly string[]): string {
  if (given !== undefined && ids.includes(given)) return given
  const [id] = ids
  if (id !== undefined && ids.length === 1 && count === 1) return id
  // A policy may read all outputs, or look them up by names that it computes.
  if (given !== undefined && (count > 1 || ids.length === 0)) return given
  throw new CommandError(
    ids.length === 0
      ? `the policy reads no data.wasm.<id>, so the id of ${source} is unknown`
      : `the policy reads ${ids.map((each) => `data.wasm.${each}`).join(', ')}: which one is ${source}?`,
    { hint: 'Move each oracle to a folder of its id: oracles/<id>/oracle.js.' },
  )
}
