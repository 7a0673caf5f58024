import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { compileModules } from 'polgate-rego/compile/program.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { contextOf } from 'polgate-rego/lint/lintModules.ts'
import { lookupsOf, readsOf } from 'polgate-rego/lint/reads.ts'
import { usedCapabilities } from '../../rego/usedCapabilities.ts'

/** What a policy takes from `data`. */
export type PolicyReads = {
  /** Ids below `data.wasm`, sorted. */
  readonly oracles: readonly string[]
  /** Paths below `data.params` without a default in the policy, in the order of the text. */
  readonly params: readonly (readonly string[])[]
  /** Why it does not compile: then the oracles are what its text names, and no parameters are known. */
  readonly error?: string
}

/** It may take long for a policy of somebody else: call it in a thread that can be ended. */
export async function policyReads(policy: ModuleSource): Promise<PolicyReads> {
  const builtins = (await usedCapabilities([policy.source])).service
  const { errors, modules } = checkModules({ modules: [policy], builtins })
  const [first] = errors
  if (first !== undefined)
    return { oracles: namedIn(policy.source), params: [], error: first.error.text }
  const { program, policies } = contextOf(compileModules(modules, builtins))
  const reads = readsOf(program.tree, policies).map(({ path }) => path)
  const all = [...reads, ...lookupsOf(program.tree, policies)]
  const below = (name: string, paths: readonly (readonly string[])[]) =>
    paths.flatMap(([root, ...rest]) => (root === name && rest.length > 0 ? [rest] : []))
  return {
    oracles: [...new Set(below('wasm', all).map(([id]) => id!))].sort(),
    params: unique(below('params', reads)),
  }
}

const namedIn = (rego: string): readonly string[] =>
  [...new Set([...rego.matchAll(/\bdata\.wasm\.([A-Za-z_]\w*)/g)].map(([, id]) => id!))].sort()

/** Without those that are inside of another one: `limits.max` is there where `limits` is. */
function unique(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const found = new Map(paths.map((path) => [JSON.stringify(path), path]))
  const inside = [...found.values()].filter((path) => path.length > 1)
  return [...found.values()].filter(
    (path) =>
      !inside.some(
        (other) => other.length > path.length && path.every((part, at) => part === other[at]),
      ),
  )
}
