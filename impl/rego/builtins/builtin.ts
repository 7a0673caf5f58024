import type { Dialect } from '../compile/dialect.ts'
import type { Meter } from '../values/limits.ts'
import type { Value } from '../values/value.ts'
import type { PrivateData } from './private/privateData.ts'
import type { Type } from './types.ts'

/** Seeded random numbers: the same for all calls within an evaluation. */
export type RandomSource = {
  /** `count` bytes that depend on the evaluation's seed and on `label` only. */
  bytes(label: string, count: number): Uint8Array
}

/** Access to the policy itself, for the few built-ins that need it. */
export type PolicyHooks = {
  /** The syntax tree of a module, for `rego.parse_module`. */
  parseModule?(file: string, source: string): Value
}

/**
 * The context of an evaluation for built-ins; their only clock, randomness and state between calls.
 */
export type BuiltinContext = {
  /** The time of the evaluation, nanoseconds since 1970. */
  readonly nowNs: bigint
  readonly random: RandomSource
  /** Values computed once per evaluation. Keys start with the group's name. */
  readonly memo: Map<string, unknown>
  /**
   * Results that depend only on their key (compiled regexes, globs, schemas), which may outlive the
   * evaluation; bounded by `cached`. Default: the memo.
   */
  readonly cache?: Map<string, unknown>
  readonly meter: Meter
  /** The result of `opa.runtime`; by default an empty object. */
  readonly runtime?: Value | undefined
  /** Whose built-ins to be like where the engine at 0.9 and OPA disagree. Default: `engine-0.9`. */
  readonly dialect?: Dialect | undefined
  readonly hooks?: PolicyHooks | undefined
  /** What the extensions for identity and confidential data read; undefined where there is none. */
  readonly privateData?: PrivateData | undefined
  /** Receives the lines of `print`. */
  readonly print?: ((line: string) => void) | undefined
}

export type Implementation = (ctx: BuiltinContext, ...args: Value[]) => Value | undefined

/**
 * A built-in function: its declaration, used by the type checker, and its implementation with
 * positional arguments. `call` returns undefined for an undefined result and throws BuiltinError
 * (without name and location, which the evaluator adds) or LimitError.
 */
export type Builtin = {
  readonly name: string
  readonly args: readonly Type[]
  readonly result: Type
  /** Any number of further arguments of this type (`print`). */
  readonly variadic?: Type
  /** The result is an array of outputs, each of which is one result of the call (`walk`). */
  readonly relation?: true
  /** Depends on more than its arguments: never folded at compile time. */
  readonly nondeterministic?: true
  /** Reads the YAML of annotations; only of `rego.metadata.*`. */
  readonly readAnnotations?: (text: string) => unknown
  /** Infix operator. */
  readonly infix?: string
  /**
   * Positions of the arguments that may contain written numbers (`100.0`), because the call passes
   * them on or formats them; in all others they are plain integers.
   */
  readonly keepsWritten?: readonly number[]
  /**
   * What a call reads of private data. Confidential data has a type; without one, it is that of the
   * first argument.
   */
  readonly reads?:
    | { readonly kind: 'identity' }
    | { readonly kind: 'confidential'; readonly dataType?: string }
  /** Rejected in Rego v1. */
  readonly deprecated?: true
  readonly call: Implementation
  /** Absent: operators on common operands are computed without `call`. False for one that watches or replaces it. */
  readonly fast?: false
  /** Another program implements it: a call is an error unless `with` replaces it by a function. */
  readonly declaredOnly?: true
  /** Iterates over the outputs of a relation, for callers that may not need all of them. */
  readonly relate?: (ctx: BuiltinContext, ...args: Value[]) => Iterable<Value>
}

const MAX_CACHED = 1_000

/** A cached value that depends only on `group` and `key`. */
export function cached<T>(ctx: BuiltinContext, group: string, key: string, make: () => T): T {
  const cache = ctx.cache ?? ctx.memo
  const name = `${group}/${key}`
  const known = cache.get(name)
  if (known !== undefined) return known as T
  const made = make()
  // Clears everything: entries are cheap to recompute, unlike maintaining an order.
  if (cache === ctx.cache && cache.size >= MAX_CACHED) cache.clear()
  cache.set(name, made)
  return made
}
