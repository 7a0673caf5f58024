import type { Builtin } from '../builtins/builtin.ts'
import { byName, coreBuiltins } from '../builtins/core.ts'
import type { Type } from '../builtins/types.ts'
import { toJson } from '../values/json.ts'

/** A type in the format of OPA's `capabilities.json`. */
export type TypeJson = { readonly type: string; readonly [member: string]: unknown }

export type CapabilityJson = {
  readonly name: string
  readonly decl: TypeJson
  readonly infix?: string
  readonly relation?: true
  readonly nondeterministic?: true
}

export type Capabilities = { readonly builtins: readonly CapabilityJson[] }

/**
 * The built-ins that a policy may call which is compiled with these groups, sorted, in the format of
 * OPA's `capabilities.json`. A part of it is what `compile` takes as `capabilities`.
 */
export const capabilities = (groups: readonly (readonly Builtin[])[] = []): Capabilities => ({
  builtins: [...byName([coreBuiltins, ...groups].flat()).values()]
    .filter(({ deprecated }) => deprecated !== true)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, args, result, variadic, infix, relation, nondeterministic }) => ({
      name,
      decl: typeJson({ kind: 'function', args, result, ...(variadic ? { variadic } : {}) }),
      ...(infix === undefined ? {} : { infix }),
      ...(relation === undefined ? {} : { relation }),
      ...(nondeterministic === undefined ? {} : { nondeterministic }),
    })),
})

function typeJson(type: Type): TypeJson {
  switch (type.kind) {
    case 'array':
      return {
        type: 'array',
        ...(type.static.length === 0 ? {} : { static: type.static.map(typeJson) }),
        ...(type.dynamic === undefined ? {} : { dynamic: typeJson(type.dynamic) }),
      }
    case 'object': {
      const { dynamic } = type
      const named = type.static.map(({ key, value }) => ({
        key: toJson(key),
        value: typeJson(value),
      }))
      return {
        type: 'object',
        ...(named.length === 0 ? {} : { static: named }),
        ...(dynamic === undefined
          ? {}
          : { dynamic: { key: typeJson(dynamic.key), value: typeJson(dynamic.value) } }),
      }
    }
    case 'set':
      return { type: 'set', of: typeJson(type.of) }
    case 'union':
      return { type: 'any', of: type.of.map(typeJson) }
    case 'function':
      return {
        type: 'function',
        args: type.args.map(typeJson),
        result: typeJson(type.result),
        ...(type.variadic === undefined ? {} : { variadic: typeJson(type.variadic) }),
      }
    default:
      return { type: type.kind }
  }
}
