import type { ModuleSource } from 'polgate-rego/engine.ts'
import { errorsJson } from 'polgate-rego/report/answer.ts'
import { type CheckingOptions, checkedFiles } from '../rego/checkedFiles.ts'
import { loadFiles } from '../rego/loadFiles.ts'
import { policySources } from '../rego/policySources.ts'
import { showErrors } from '../rego/terminal.ts'

export type OpaCheckOptions = CheckingOptions & {
  readonly format: 'json' | 'pretty'
  readonly ignore: readonly string[]
  readonly bundle?: boolean
}

/** `polgate opa check`: sets `process.exitCode` to 0, or 1 if a policy has an error; errors are on stderr. */
export async function opaCheck(paths: readonly string[], options: OpaCheckOptions): Promise<void> {
  const modules = await modulesOf(paths, options)
  const { errors, isCut, capabilities } = await checkedFiles({ modules }, options)
  process.exitCode = errors.length === 0 ? 0 : 1
  if (options.format === 'json') {
    if (errors.length > 0) console.error(errorsJson(errors))
    return
  }
  showErrors(errors, { modules, capabilities }, process.stderr)
  if (isCut) console.error('There are more errors: --max-errors -1 shows all.')
}

async function modulesOf(
  paths: readonly string[],
  { bundle, ignore }: OpaCheckOptions,
): Promise<readonly ModuleSource[]> {
  const skipping = { ignore, hidden: true }
  if (bundle !== true) return policySources(paths, skipping)
  return (await loadFiles([], { ...skipping, bundles: paths })).modules
}
