import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import type { RegoError } from 'polgate-rego/errors.ts'
import { type Capabilities, capabilitiesOf } from './capabilities.ts'
import { chosenCapabilities } from './chosenCapabilities.ts'

export type CheckingOptions = {
  readonly capabilities: string
  /** -1 for all. */
  readonly maxErrors: number
  readonly strict?: boolean
  /** A JSON schema of the input, or a directory of those that annotations name. */
  readonly schema?: string
}

export type CheckedFiles = {
  readonly errors: readonly RegoError[]
  readonly isCut: boolean
  readonly capabilities: Capabilities
}

/** The errors of policies that OPA reports: those of the first stage that has some. */
export async function checkedFiles(
  { modules }: { readonly modules: readonly ModuleSource[] },
  { capabilities: text, maxErrors, strict, schema }: CheckingOptions,
): Promise<CheckedFiles> {
  const { profile, of } = chosenCapabilities(text)
  const capabilities = of(capabilitiesOf(profile))
  const { errors, isCut } = checkModules({
    modules,
    builtins: capabilities,
    dialect: dialectOf(profile),
    maxErrors: maxErrors < 0 ? Number.MAX_SAFE_INTEGER : maxErrors,
    strict: strict === true,
    firstStage: true,
    ...(schema === undefined
      ? {}
      : { schemas: (await import('../opa/policySchemas.ts')).policySchemas(schema) }),
  })
  return { errors: errors.map(({ error }) => error), isCut, capabilities }
}
