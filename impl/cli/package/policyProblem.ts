import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { createEngine, type ModuleSource } from 'polgate-rego/engine.ts'
import { usedCapabilities } from '../rego/usedCapabilities.ts'

const mostErrors = 5

/**
 * What operators would refuse of a policy: the texts of its errors, or that it has no such rule.
 *
 * @throws RegoError if it does not compile
 */
export async function policyProblem({
  policy,
  entrypoint,
}: {
  readonly policy: ModuleSource
  readonly entrypoint: string
}): Promise<{ readonly errors: readonly string[] } | 'no rule' | undefined> {
  const modules = [policy]
  const builtins = (await usedCapabilities([policy.source])).service
  const { errors } = checkModules({ modules, builtins, maxErrors: mostErrors })
  if (errors.length > 0) return { errors: errors.map(({ error }) => error.text) }
  return createEngine({ modules, builtins, strict: false }).hasRule(entrypoint)
    ? undefined
    : 'no rule'
}
