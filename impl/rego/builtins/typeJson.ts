import { RegoError } from '../errors.ts'
import { fromJson, toJson } from '../values/json.ts'
import type { Builtin } from './builtin.ts'
import { ANY, type Type } from './types.ts'

/** A type in the format of OPA's `capabilities.json`. */
export type TypeJson = { readonly type: string; readonly [member: string]: unknown }

export type CapabilityJson = {
  readonly name: string
  readonly decl: TypeJson
  readonly infix?: string
  readonly relation?: true
  readonly nondeterministic?: true
}

/** A built-in in the format of OPA's `capabilities.json`. */
export function builtinJson(builtin: Builtin): CapabilityJson {
  const { name, args, result, variadic, infix, relation, nondeterministic } = builtin
  return {
    name,
    decl: declaration(
      name,
      typeJson({ kind: 'function', args, result, ...(variadic ? { variadic } : {}) }),
    ),
    ...(infix === undefined ? {} : { infix }),
    ...(relation === undefined ? {} : { relation }),
    ...(nondeterministic === undefined ? {} : { nondeterministic }),
  }
}

/** Functions of OPA without a result; it refuses one of those with any number of arguments. */
const VOID: ReadonlySet<string> = new Set(['print', 'internal.print', 'internal.test_case'])

function declaration(name: string, json: TypeJson): TypeJson {
  if (!VOID.has(name)) return json
  const { result: _, ...others } = json
  return others
}

/**
 * A built-in that another program has: policies that call it compile, and a call is an error unless `with` replaces it
 * by a function. A value does not help, in OPA either.
 */
export function declaredBuiltin({ name, decl }: CapabilityJson): Builtin {
  const type = typeFromJson(decl)
  const { args, result, variadic } =
    type.kind === 'function' ? type : { args: [], result: ANY, variadic: ANY }
  return {
    name,
    args,
    result,
    ...(variadic === undefined ? {} : { variadic }),
    nondeterministic: true,
    declaredOnly: true,
    call: () => {
      // Not an error of the built-in, which non-strict evaluation makes undefined: a deny rule that calls it would not hold.
      const message = `unsupported built-in ${name}: it is declared, and not part of this engine`
      throw new RegoError('eval_internal_error', message)
    },
  }
}

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

/** The type that a declaration describes; `any` for what is not known. */
export function typeFromJson(json: TypeJson): Type {
  const { type } = json
  const members = json as unknown as {
    readonly static?: readonly unknown[]
    readonly dynamic?: unknown
    readonly of?: unknown
    readonly args?: readonly TypeJson[]
    readonly result?: TypeJson
    readonly variadic?: TypeJson
  }
  switch (type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return { kind: type }
    case 'array': {
      const dynamic = members.dynamic as TypeJson | undefined
      const fixed = (members.static ?? []) as readonly TypeJson[]
      return {
        kind: 'array',
        static: fixed.map(typeFromJson),
        ...(dynamic === undefined ? {} : { dynamic: typeFromJson(dynamic) }),
      }
    }
    case 'object': {
      const dynamic = members.dynamic as Record<'key' | 'value', TypeJson> | undefined
      const fixed = (members.static ?? []) as readonly { key: unknown; value: TypeJson }[]
      return {
        kind: 'object',
        static: fixed.map(({ key, value }) => ({ key: fromJson(key), value: typeFromJson(value) })),
        ...(dynamic === undefined
          ? {}
          : { dynamic: { key: typeFromJson(dynamic.key), value: typeFromJson(dynamic.value) } }),
      }
    }
    case 'set':
      return {
        kind: 'set',
        of: members.of === undefined ? ANY : typeFromJson(members.of as TypeJson),
      }
    case 'any': {
      const of = members.of as readonly TypeJson[] | undefined
      return of === undefined || of.length === 0 ? ANY : { kind: 'union', of: of.map(typeFromJson) }
    }
    case 'function':
      return {
        kind: 'function',
        args: (members.args ?? []).map(typeFromJson),
        result: members.result === undefined ? ANY : typeFromJson(members.result),
        ...(members.variadic === undefined ? {} : { variadic: typeFromJson(members.variadic) }),
      }
    default:
      return ANY
  }
}
