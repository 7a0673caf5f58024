import { mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { readRecording } from 'polgate-service/oracles/recording/recordingFile.ts'
import { stringify } from 'yaml'
import { CommandError } from '../../commandDefinition.ts'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import type { PackageDescription } from '../../package/packageSchema.ts'
import { packageWarnings } from '../../package/packageWarnings.ts'
import { editorFiles } from '../../rego/capabilitiesDocument.ts'
import { parseJson, readBytes, readPolicy, readText } from '../inputFiles.ts'
import { note } from '../notes.ts'
import { harExchanges, harWithoutSecrets } from '../test/harFile.ts'
import { hostName } from '../test/mockTable.ts'
import { defaultsOf, jsonText, propertiesOf, wireIntent, withoutManifest } from './convertedJson.ts'
import { derivedCases, derivedMocks, hostsIn } from './derivedTests.ts'
import { type ForeignLayout, type ForeignOracle, foreignLayout } from './foreignLayout.ts'
import { ownModule } from './ownModule.ts'
import { ownComponent, ownExtensions, ownHostInterface } from './ownNames.ts'

export type ImportPolicyOptions = { readonly output?: string }

/** Contents by path below the new folder. */
type Files = Map<string, string | Uint8Array>

const mocksHead =
  '# Answers of the hosts that oracles ask. Replace each fillIn: json: {...}, or a path with an answer.\n'
const casesHead =
  '# What holds for every policy. Add cases that allow and deny, with the answers of the hosts.\n'

/** Sender and recipient of a local stack. */
const exampleIntent = {
  from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  ...{ value: '0x0', data: '0x', chain_id: '0x7a69', function_signature: '0x' },
}

const maxComponentBytes = 64 * 1024 * 1024

/**
 * `polgate policy import`: writes a policy package from a folder in another layout, with the names of this
 * service. The folder itself is not changed.
 *
 * @throws CommandError
 */
export async function importPolicy(directory: string, options: ImportPolicyOptions): Promise<void> {
  const output = options.output ?? `${basename(resolve(directory))}-package`
  const taken = await readdir(output).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CommandError(`${output} cannot be read: ${error.code}`, { cause: error })
  })
  if (taken.length > 0) {
    throw new CommandError(`${output} is not empty`, {
      hint: 'Nothing was written. Choose another folder with --output.',
    })
  }
  const layout = await foreignLayout(directory)
  const files: Files = new Map()
  const description = await converted(directory, layout, files, nameOf(output))
  files.set('policy.yaml', stringify(description))
  for (const [name, text] of editorFiles()) files.set(name, text)
  for (const [name, content] of files) {
    const path = join(output, name)
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, content, { exclusive: true })
    console.log(`wrote ${path}`)
  }
  const loaded = await loadPolicyPackage(output)
  for (const { message, help } of await packageWarnings(loaded)) note(`${message}: ${help}`)
  console.log(
    layout.tests.length > 0 || description.cases !== undefined
      ? `next: polgate policy test ${output}`
      : `next: write cases.yaml or Rego tests, then polgate policy test ${output}`,
  )
}

function nameOf(output: string): string {
  const name = basename(resolve(output))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
  return /^[a-z][a-z0-9-]{0,62}$/.test(name) ? name : 'imported'
}

async function converted(
  directory: string,
  layout: ForeignLayout,
  files: Files,
  name: string,
): Promise<PackageDescription> {
  const at = (file: string) => join(directory, file)
  const rego = await readRego(at(layout.policy))
  files.set('policy.rego', rego)
  const tests: string[] = []
  for (const test of layout.tests) {
    files.set(test, await readRego(at(test)))
    tests.push(test)
  }
  const description: PackageDescription = {
    ...{ name, policy: 'policy.rego', entrypoint: entrypointOf(layout.policy, rego) },
  }
  const schema = await json(layout.paramsSchema)
  if (layout.paramsSchema !== undefined) {
    files.set('params.schema.json', await readText(at(layout.paramsSchema)))
    description.paramsSchema = 'params.schema.json'
  }
  const params = layout.params === undefined ? defaultsOf(schema) : await json(layout.params)
  if (params !== undefined) {
    const { value, wrapper } = withoutManifest(params, propertiesOf(schema))
    if (wrapper !== undefined)
      note(`${layout.params} is a manifest: its member ${wrapper} became params.json`)
    if (layout.params === undefined) note('params.json has the defaults of the schema')
    files.set('params.json', jsonText(value))
    description.params = 'params.json'
  }
  const ids = packIds(rego)
  const oracles = []
  const hosts: string[] = []
  for (const oracle of layout.oracles) oracles.push(await oracleOf(oracle))
  if (oracles.length > 0) description.oracles = oracles
  if (layout.intent !== undefined) {
    files.set('intent.json', jsonText(wireIntent(await json(layout.intent))))
    description.intent = 'intent.json'
  }
  if (layout.intentDomain !== undefined) {
    files.set('intent_domain.json', await readText(at(layout.intentDomain)))
    description.intentDomain = 'intent_domain.json'
  }
  const asked = [...new Set(hosts)]
  if (asked.length > 0 || layout.exchanges !== undefined) await addTests(asked)
  return { ...description, ...(tests.length === 0 ? {} : { tests }) }

  async function addTests(asked: readonly string[]): Promise<void> {
    const recorded = await recordedHosts()
    const mocks = derivedMocks(asked, recorded)
    files.set('mocks.yaml', `${mocksHead}${stringify(mocks)}`)
    description.mocks = 'mocks.yaml'
    for (const host of Object.keys(mocks.hosts ?? {}))
      note(`mocks.yaml: fill in what ${host} answers; until then it answers with an error`)
    if (asked.length === 0) return
    files.set('cases.yaml', `${casesHead}${stringify(derivedCases(asked))}`)
    description.cases = 'cases.yaml'
    if (description.intent !== undefined) return
    note('intent.json is an example: fill in an intent of this policy')
    files.set('intent.json', jsonText(exampleIntent))
    description.intent = 'intent.json'
  }

  async function recordedHosts() {
    const file = layout.exchanges
    if (file === undefined) return { file: undefined, hosts: [] }
    const name = `exchanges${extname(file)}`
    const isHar = file.endsWith('.har')
    if (isHar) {
      const { text, leftOut } = await harWithoutSecrets(at(file))
      files.set(name, text)
      for (const reason of leftOut) note(`${basename(file)}: ${reason}`)
    } else files.set(name, await readText(at(file)))
    if (!isHar) description.exchanges = name
    const exchanges = isHar
      ? await harExchanges(at(file))
      : (await readRecording(at(file))).exchanges
    return {
      file: name,
      hosts: exchanges.map(({ request }) => hostName(new URL(request.url).host)),
    }
  }

  async function json(file: string | undefined): Promise<unknown> {
    return file === undefined ? undefined : parseJson(at(file), await readText(at(file)))
  }

  async function oracleOf(oracle: ForeignOracle) {
    const id = idOf(oracle, layout.oracles.length, ids)
    const source = `oracles/${id}${extname(oracle.source)}`
    const code = await oracleSource(at(oracle.source))
    files.set(source, code)
    hosts.push(...hostsIn(code))
    const copy = async (file: string | undefined, end: string) => {
      if (file === undefined) return {}
      const [member, suffix] = end.split(' ') as [string, string]
      files.set(`oracles/${id}.${suffix}.json`, await readText(at(file)))
      return { [member]: `oracles/${id}.${suffix}.json` }
    }
    return {
      ...{ id, source },
      ...(await copy(oracle.wasmArgs, 'wasmArgs args')),
      ...(await copy(oracle.wasmArgsSchema, 'wasmArgsSchema args.schema')),
      ...(await copy(oracle.secretsSchema, 'secretsSchema secrets.schema')),
      ...(oracle.secretsSchema === undefined
        ? {}
        : await copy(oracle.secrets, 'testSecrets test-secrets')),
    }
  }
}

async function readRego(path: string): Promise<string> {
  const { text, from } = ownExtensions(await readPolicy(path))
  if (from.length > 0) note(`${basename(path)}: renamed ${from.join(', ')}`)
  return text
}

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

/** `allow` of the policy's package, or its only rule with a default. @throws CommandError */
function entrypointOf(file: string, rego: string): string {
  try {
    const module = parseModule(new Source(file, rego))
    const rules = module.rules.flatMap(({ head, isDefault }) =>
      head.ref.head.kind === 'var' ? [{ name: head.ref.head.name, isDefault }] : [],
    )
    const path = module.package.path.span.text
    if (rules.some(({ name }) => name === 'allow')) return `data.${path}.allow`
    const defaults = [...new Set(rules.flatMap(({ name, isDefault }) => (isDefault ? name : [])))]
    if (defaults.length === 1) return `data.${path}.${defaults[0]}`
    throw new CommandError(`${file} has no rule allow`, {
      hint: 'Name the rule that decides allow, with default allow := false.',
    })
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    throw new CommandError(error.text, { hint: 'The policy must be Rego v1.', cause: error })
  }
}

/** Ids below data.wasm that a policy reads. */
const packIds = (rego: string): readonly string[] => [
  ...new Set([...rego.matchAll(/\bdata\.wasm\.([A-Za-z_]\w*)/g)].map(([, id]) => id!)),
]

/** The id of an oracle: that of its folder or file, or the only one that the policy reads. @throws CommandError */
function idOf({ id: given, source }: ForeignOracle, count: number, ids: readonly string[]): string {
  if (given !== undefined && ids.includes(given)) return given
  const [id] = ids
  if (id !== undefined && ids.length === 1 && count === 1) return id
  if (given !== undefined && count > 1) return given
  throw new CommandError(
    ids.length === 0
      ? `the policy reads no data.wasm.<id>, so the id of ${source} is unknown`
      : `the policy reads ${ids.map((each) => `data.wasm.${each}`).join(', ')}: which one is ${source}?`,
    { hint: 'Move each oracle to a folder of its id: oracles/<id>/oracle.js.' },
  )
}
