import type { Builtin } from '../builtins/builtin.ts'
import { type CapabilityJson, declaredBuiltin } from '../builtins/typeJson.ts'
import { fromJson, toJson } from '../values/json.ts'

/**
 * A built-in of the program, on plain data: sets are sorted arrays, integers beyond 2^53 are `bigint`. A call with the result
 * `undefined` is undefined; an error ends the evaluation, a `BuiltinError` only where it is strict. Calls with the same arguments
 * must have the same result, unless the declaration says `nondeterministic`.
 *
 * @param declaration name and types as in OPA's `capabilities.json`
 */
export function defineBuiltin(
  declaration: CapabilityJson,
  call: (...args: readonly unknown[]) => unknown,
): Builtin {
  const { nondeterministic: _, declaredOnly: __, ...declared } = declaredBuiltin(declaration)
  return {
    ...declared,
    ...(declaration.nondeterministic === true ? { nondeterministic: true } : {}),
    call: (_, ...args) => {
      const result = call(...args.map(toJson))
      return result === undefined ? undefined : fromJson(result)
    },
  }
}
