import type { Meter } from '../values/limits.ts'
import type { Value } from '../values/value.ts'
import type { Type } from './types.ts'

/** Numbers from a seed that the evaluation holds: the same for all calls within it. */
export type RandomSource = {
  /** `count` bytes that depend on the evaluation's seed and on `label` only. */
  bytes(label: string, count: number): Uint8Array
}

/** What the engine's core lends to the few built-ins that look at the policy itself. */
export type PolicyHooks = {
  /** The syntax tree of a module, for `rego.parse_module`. */
  parseModule?(file: string, source: string): Value
  /** The metadata chain of the rule that is evaluated, for `rego.metadata.chain`. */
  metadataChain?(): Value
  metadataRule?(): Value
}

/**
 * One evaluation, as built-ins see it. There is no other clock, randomness or memory between
 * calls than this.
 */
export type BuiltinContext = {
  /** The evaluation's one moment, nanoseconds since 1970. */
  readonly nowNs: bigint
  readonly random: RandomSource
  /** What is computed once in this evaluation. Keys start with the group's name. */
  readonly memo: Map<string, unknown>
  /**
   * Results that depend on their key alone (compiled regexes, globs, schemas) and so may outlive
   * the evaluation; bounded by whoever adds. The memo serves when it is absent.
   */
  readonly cache?: Map<string, unknown>
  readonly meter: Meter
  /** The answer of `opa.runtime`; an empty object when absent. */
  readonly runtime?: Value | undefined
  readonly hooks?: PolicyHooks | undefined
  /** Takes the lines of `print`. */
  readonly print?: ((line: string) => void) | undefined
}

export type Implementation = (ctx: BuiltinContext, ...args: Value[]) => Value | undefined

/**
 * A built-in function: its declaration, which the type checker uses, and its implementation,
 * with positional arguments. `call` gives undefined for an undefined result and throws
 * BuiltinError (without name and location, which the evaluator adds) or LimitError.
 */
export type Builtin = {
  readonly name: string
  readonly args: readonly Type[]
  readonly result: Type
  /** Any number of further arguments of this type (`print`). */
  readonly variadic?: Type
  /** The result is an array of outputs, of which each is one answer of the call (`walk`). */
  readonly relation?: true
  /** Depends on the evaluation and not on its arguments alone: never folded at compile time. */
  readonly nondeterministic?: true
  /** Written between its arguments. */
  readonly infix?: string
  /** Not allowed in Rego v1. */
  readonly deprecated?: true
  readonly call: Implementation
  /** The outputs of a relation one by one, for callers that may not need them all. */
  readonly relate?: (ctx: BuiltinContext, ...args: Value[]) => Iterable<Value>
}

const MAX_CACHED = 1_000

/** A value that depends on `group` and `key` alone, made once and kept while there is room. */
export const cached = <T>(ctx: BuiltinContext, group: string, key: string, make: () => T): T => {
  const cache = ctx.cache ?? ctx.memo
  const name = `${group}/${key}`
  const known = cache.get(name)
  if (known !== undefined) return known as T
  const made = make()
  // all of it goes: entries are cheap to make again, and keeping their order is not
  if (cache === ctx.cache && cache.size >= MAX_CACHED) cache.clear()
  cache.set(name, made)
  return made
}
