/** The parts of the language by which the page is divided. */
export type Area =
  | 'negation'
  | 'syntax'
  | 'rules'
  | 'documents'
  | 'types'
  | 'values'
  | 'built-ins'
  | 'errors'

/**
 * The result of a program: the JSON text of the value (members sorted, sets as sorted arrays),
 * `undefined`, or the code of an error, such as `rego_type_error`. The engine at 0.9 has no codes: its
 * errors are `error`.
 */
export type Answer = string

export type Program = {
  /** Sources of Rego v1 modules; module `i` has the file name `test-<i>.rego`. */
  readonly modules: readonly string[]
  /** An expression; `data.test.p` by default. */
  readonly query?: string
  /** If absent, `input` is undefined. */
  readonly input?: unknown
  readonly data?: unknown
  /** Whether errors of built-ins are errors instead of undefined. */
  readonly strict?: true
}

/** A program for which this engine, OPA 1.2 and the engine at 0.9 do not all agree. */
export type Difference = {
  /** Stable and unique: other tools refer to it. */
  readonly id: string
  readonly area: Area
  /** A phrase that ends without a full stop. */
  readonly title: string
  /** Why this engine answers as it does: sentences. */
  readonly why: string
  readonly program: Program
  /** The answers of this engine by profile. */
  readonly here: { readonly service: Answer; readonly 'opa-1.2': Answer }
  readonly opa: Answer
  /** The answer of the engine at 0.9; absent if it is not known. */
  readonly regorus?: Answer
}
