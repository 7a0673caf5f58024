import { counted } from 'polgate-lib/text/counted.ts'
import { type CheckedError, checkModules } from 'polgate-rego/check/checkModules.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { indentJson } from 'polgate-rego/report/answer.ts'
import { capabilitiesOf } from './capabilities.ts'
import { chosenCapabilities } from './chosenCapabilities.ts'
import { policySources } from './policySources.ts'
import { showErrors } from './terminal.ts'

export type CheckCommandOptions = {
  readonly json?: boolean
  /** The name of `--json` in OPA. */
  readonly format?: 'json' | 'pretty'
  readonly capabilities: string
  readonly maxErrors: number
  readonly ignore: readonly string[]
}

/**
 * `polgate rego check`: sets `process.exitCode` to 0, or 1 if a policy has an error.
 *
 * @throws CommandError if the policies cannot be read
 */
export async function checkCommand(
  paths: readonly string[],
  options: CheckCommandOptions,
): Promise<void> {
  const { profile, of } = chosenCapabilities(options.capabilities)
  const capabilities = of(capabilitiesOf(profile))
  const sources = await policySources(paths, options)
  const { errors, isCut } = checkModules({
    modules: sources,
    builtins: capabilities,
    dialect: dialectOf(profile),
    maxErrors: options.maxErrors,
  })
  process.exitCode = errors.length === 0 ? 0 : 1
  if (options.json === true || options.format === 'json') {
    console.log(checkJson(errors, { files: sources.length, isCut }))
    return
  }
  showErrors(
    errors.map(({ error }) => error),
    { modules: sources, capabilities },
  )
  const files = counted(sources.length, 'file')
  if (errors.length === 0) {
    console.log(`${files} checked: no errors`)
    if (profile === 'service' && sources.some(readsSignature)) {
      const { warnOf } = await import('./lintWarnings.ts')
      const { functionText } = await import('polgate-rego/lint/rules/functionText.ts')
      warnOf(functionText, sources, { builtins: capabilities, dialect: dialectOf(profile) })
    }
  } else {
    const more = isCut ? ', and more: --max-errors shows them' : ''
    console.log(`${files} checked: ${counted(errors.length, 'error')}${more}`)
  }
}

const readsSignature = ({ source }: ModuleSource): boolean =>
  source.includes('decoded_function_signature')

/** `errors` is as in `opa check --format json`, with the end of the place, where known. */
const checkJson = (
  errors: readonly CheckedError[],
  { files, isCut }: { readonly files: number; readonly isCut: boolean },
): string =>
  indentJson(
    JSON.stringify({
      files,
      errors: errors.map(({ error: { code, message, location }, end }) => ({
        code,
        message,
        ...(location === undefined ? {} : { location: { ...location, ...(end && { end }) } }),
      })),
      ...(isCut ? { more: true } : {}),
    }),
  )
