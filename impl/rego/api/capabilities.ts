import type { Builtin } from '../builtins/builtin.ts'
import { byName, coreBuiltins } from '../builtins/core.ts'
import { builtinJson, type CapabilityJson } from '../builtins/typeJson.ts'

export type { CapabilityJson, TypeJson } from '../builtins/typeJson.ts'

export type Capabilities = { readonly builtins: readonly CapabilityJson[] }

/**
 * The built-ins that a policy may call which is compiled with these groups, sorted, in the format of
 * OPA's `capabilities.json`. A part of it is what `compile` takes as `capabilities`.
 */
export const capabilities = (groups: readonly (readonly Builtin[])[] = []): Capabilities => ({
  builtins: [...byName([coreBuiltins, ...groups].flat()).values()]
    .filter(({ deprecated }) => deprecated !== true)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(builtinJson),
})
