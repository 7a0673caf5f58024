import { format } from 'polgate-rego/api/format.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { CommandError } from '../../commandDefinition.ts'
import { runCode } from '../../package/codeThreads.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { readPolicy } from '../inputFiles.ts'
import type { NamedSource, NamespacedPart, Renaming } from './namespacedModule.ts'

export type ComposedPart = { readonly given: PolicyPackage; readonly namespace: string }

export type ComposedPolicy = {
  readonly policy: string
  /** By file names of their own. */
  readonly tests: readonly NamedSource[]
}

/**
 * One module in which all policies decide, each below its namespace, and with the Rego tests of each. It allows if
 * the entrypoint of every one of them is true, or the text `true` (decision T11).
 *
 * @param name of its package
 * @throws CommandError for an entrypoint outside of the package of its policy
 */
export async function composedPolicy(
  parts: readonly ComposedPart[],
  name: string,
): Promise<ComposedPolicy> {
  const rules: string[] = []
  const tests: NamedSource[] = []
  const allows: string[] = []
  const denies: string[] = []
  for (const { given, namespace } of parts) {
    const policy = { name: given.policy.path, source: given.policy.text }
    const sources: NamedSource[] = []
    for (const path of given.tests) sources.push({ name: path, source: await readPolicy(path) })
    const part = { policy, tests: sources, namespace }
    const done = await namespaced({ part, target: name })
    rules.push(`# --- ${given.name}\n\n${done.rules}\n`)
    tests.push(
      ...done.tests.map(({ source }, at) => ({ name: `${namespace}_${at + 1}_test.rego`, source })),
    )
    allows.push(`\t${namespace}.${entrypointOf(given)} in {true, "true"}\n`)
    if (done.names.has('deny'))
      denies.push(`deny contains reason if some reason in ${namespace}.deny\n\n`)
  }
  const head = `# Allows what all of these policies allow.\npackage ${name}\n\nimport rego.v1\n\n`
  const decision = `default allow := false\n\nallow if {\n${allows.join('')}}\n\n`
  const policy = format(`${head}${decision}${denies.join('')}${rules.join('\n')}`)
  return { policy, tests: tests.map((test) => ({ ...test, source: format(test.source) })) }
}

/** @throws CommandError over a limit, or for a policy that cannot be renamed */
async function namespaced(given: Renaming): Promise<NamespacedPart> {
  try {
    return await runCode(given.part.policy.name, { kind: 'namespaced', given })
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    throw new CommandError(error.text, {
      hint: 'polgate rego check shows all errors.',
      cause: error,
    })
  }
}

/** The rule that decides, below the package of its policy. */
function entrypointOf({ entrypoint, policy }: PolicyPackage): string {
  const source = new Source(policy.path, policy.text)
  const own = parseModule(source).package.path.span.text
  if (entrypoint.startsWith(`${own}.`)) return entrypoint.slice(own.length + 1)
  throw new CommandError(`${policy.path} has no rule ${entrypoint}: its package is ${own}`, {
    hint: 'Correct entrypoint in the policy.yaml of this package.',
  })
}
