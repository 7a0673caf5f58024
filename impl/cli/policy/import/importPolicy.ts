import { basename, extname, join, resolve } from 'node:path'
import { counted } from 'polgate-lib/text/counted.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { readRecording } from 'polgate-service/oracles/recording/recordingFile.ts'
import { stringify } from 'yaml'
import { CommandError } from '../../commandDefinition.ts'
import { runCode } from '../../package/codeThreads.ts'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import type { PackageDescription } from '../../package/packageSchema.ts'
import { packageWarnings } from '../../package/packageWarnings.ts'
import { placeholdersIn } from '../../package/placeholders.ts'
import { sharedArguments } from '../../package/resolvedCase.ts'
import { editorFiles } from '../../rego/capabilitiesDocument.ts'
import { parseJson, readPolicy, readText } from '../inputFiles.ts'
import { type NewFiles, refuseTaken, writePackage } from '../newPackage.ts'
import { note } from '../notes.ts'
import { harExchanges, harWithoutSecrets } from '../test/harFile.ts'
import { hostName } from '../test/secretHosts.ts'
import { jsonText, wireIntent } from './convertedJson.ts'
import { derivedCases, derivedMocks } from './derivedTests.ts'
import { type ForeignLayout, foreignLayout } from './foreignLayout.ts'
import { importedOracle } from './importedOracle.ts'
import { paramsOf } from './manifest.ts'
import { ownExtensions } from './ownNames.ts'
import type { PolicyReads } from './policyReads.ts'
import { stubAt, stubOf } from './stubs.ts'

export type ImportPolicyOptions = { readonly output?: string }

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

/**
 * `polgate policy import`: writes a policy package from a folder in another layout, with the names of this
 * service. The folder itself is not changed.
 *
 * @throws CommandError
 */
export async function importPolicy(directory: string, options: ImportPolicyOptions): Promise<void> {
  const output = options.output ?? `${basename(resolve(directory))}-package`
  await refuseTaken(output)
  const layout = await foreignLayout(directory)
  const files: NewFiles = new Map()
  const description = await converted(directory, layout, files, nameOf(output))
  files.set('policy.yaml', stringify(description))
  for (const [name, text] of editorFiles()) files.set(name, text)
  await writePackage(output, files)
  const loaded = await loadPolicyPackage(output)
  for (const { message, help } of await packageWarnings(loaded)) note(`${message}: ${help}`)
  console.log(
    layout.tests.length > 0 || description.cases !== undefined
      ? `next: polgate policy test ${output}`
      : `next: write cases.yaml or Rego tests, then polgate policy test ${output}`,
  )
}

/** @throws CommandError for different values of one argument, unless they are still to be written */
function refuseConflicts(
  oracles: readonly { readonly id: string; readonly wasmArgs?: string }[],
  files: NewFiles,
): void {
  const written = oracles.flatMap(({ id, wasmArgs }) => {
    const text = wasmArgs === undefined ? '' : String(files.get(wasmArgs))
    return placeholdersIn({ path: id, text }).length > 0 ? [] : [{ id, text }]
  })
  sharedArguments(written)
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
  files: NewFiles,
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
  const reads = await readsOf(layout.policy, rego)
  await addParams()
  const hosts: string[] = []
  const oracles = []
  for (const oracle of layout.oracles) {
    const given = { ids: reads.oracles, count: layout.oracles.length }
    const found = await importedOracle(directory, oracle, given)
    oracles.push(found.description)
    hosts.push(...found.hosts)
    for (const [path, content] of found.files) files.set(path, content)
  }
  if (oracles.length > 0) description.oracles = oracles
  refuseConflicts(oracles, files)
  if (oracles.length === 0 && reads.oracles.length > 0)
    throw new CommandError(
      `${directory} has no source of an oracle, but the policy reads ${reads.oracles.map((id) => `data.wasm.${id}`).join(', ')}`,
      {
        hint: 'Add the source that exports run, or the component: oracles/<id>/oracle.js, .ts or .wasm.',
      },
    )
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

  async function addParams(): Promise<void> {
    const given = await json(layout.paramsSchema)
    const names = reads.params.map(([name]) => name!)
    const { value, schema, from } =
      layout.params === undefined
        ? { value: given === undefined ? undefined : stubOf(given), schema: given, from: undefined }
        : paramsOf(await json(layout.params), { schema: given, reads: names })
    if (from === '') note(`${layout.params} is a schema: it became params.schema.json`)
    else if (from !== undefined)
      note(`${layout.params} is a manifest: its member ${from} became the parameters`)
    if (schema !== undefined) {
      const isFile = schema === given && layout.paramsSchema !== undefined
      files.set(
        'params.schema.json',
        isFile ? await readText(at(layout.paramsSchema!)) : jsonText(schema),
      )
      description.paramsSchema = 'params.schema.json'
    }
    const written = layout.params === undefined ? withStubs(value) : value
    if (written === undefined) return
    const text = jsonText(written)
    files.set('params.json', text)
    description.params = 'params.json'
    const open = placeholdersIn({ path: 'params.json', text })
    if (open.length > 0)
      note(`params.json: ${counted(open.length, 'value')} to fill in; until then policy test fails`)
    else if (layout.params === undefined) note('params.json has the defaults of the schema')
  }

  /** Of the schema and of what the policy reads; undefined if there is nothing to give. */
  function withStubs(ofSchema: unknown): object | undefined {
    const all = { ...stubAt(reads.params), ...(ofSchema as object | undefined) }
    return Object.keys(all).length === 0 ? undefined : all
  }

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
}

async function readRego(path: string): Promise<string> {
  const { text, from } = ownExtensions(await readPolicy(path))
  if (from.length > 0) note(`${basename(path)}: renamed ${from.join(', ')}`)
  return text
}

/** What the policy takes from `data`. @throws CommandError if that takes too long */
async function readsOf(path: string, source: string): Promise<PolicyReads> {
  const reads = await runCode(path, { kind: 'reads', given: { name: path, source } })
  if (reads.error !== undefined) note(`${reads.error}: operators would refuse the policy`)
  return reads
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
