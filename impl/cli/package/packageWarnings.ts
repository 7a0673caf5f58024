import { frozenIn } from 'polgate-fixtures/oracles/frozenComponent.ts'
import { unknownFormats } from 'polgate-service/envelopes/untrustedSchema.ts'
import { CommandError } from '../commandDefinition.ts'
import { readComponent } from '../policy/inputFiles.ts'
import { runCode } from './codeThreads.ts'
import type { PackageWarning } from './packageWarning.ts'
import type { PolicyPackage, TextFile } from './policyPackage.ts'

/** Warnings about the policy, the parameters and the schemas that the package publishes. @throws CommandError */
export async function packageWarnings(loaded: PolicyPackage): Promise<readonly PackageWarning[]> {
  const { policy, params, entrypoint, file, oracles, client } = loaded
  const found = await runCode(policy.path, {
    kind: 'warnings',
    given: {
      ...{ policy, params, entrypoint, file },
      oracles: oracles.map(({ id }) => ({ id })),
      client: { restrictsTarget: client.restrictsTarget },
    },
  })
  return [...found, ...formatWarnings(loaded), ...(await frozenWarnings(loaded))]
}

/** Components that were built elsewhere: those of sources are built with clocks and random numbers. */
async function frozenWarnings({ oracles }: PolicyPackage): Promise<readonly PackageWarning[]> {
  const found: PackageWarning[] = []
  for (const { source } of oracles.filter((oracle) => oracle.source.endsWith('.wasm')))
    for (const feature of frozenOf(await readComponent(source, () => {})))
      found.push({
        id: `frozen-${feature}`,
        place: source,
        message: `the component was built without ${feature}: ${frozenValues[feature]} in every run`,
        help: `build it with ${feature}, or import its source: componentize-js must not have ${feature} in disableFeatures`,
      })
  return found
}

const frozenValues = {
  clocks: 'Date.now() is the time of its build',
  random: 'Math.random() gives the same numbers',
} as const

/** What is no component is refused elsewhere. */
function frozenOf(component: Uint8Array): ReturnType<typeof frozenIn> {
  try {
    return frozenIn(component)
  } catch {
    return []
  }
}

function formatWarnings({ paramsSchema, oracles }: PolicyPackage): readonly PackageWarning[] {
  const schemas = oracles.flatMap((oracle) => [oracle.wasmArgsSchema, oracle.secretsSchema])
  return [paramsSchema, ...schemas].flatMap((schema) =>
    (schema === undefined ? [] : formatsOf(schema)).map((format) => ({
      id: 'unknown-format',
      place: schema!.path,
      message: `no validator knows the format ${JSON.stringify(format)}: any text fits it`,
      help: 'write a pattern, or a format of JSON Schema such as date-time, email, hostname, uri',
    })),
  )
}

function formatsOf({ path, text }: TextFile): readonly string[] {
  try {
    return unknownFormats(text)
  } catch (cause) {
    throw new CommandError(`${path}: the schema ${(cause as Error).message}`, {
      hint: 'The service refuses it.',
      cause,
    })
  }
}
