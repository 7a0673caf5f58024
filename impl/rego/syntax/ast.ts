import type { Value } from '../values/value.ts'
import type { Span } from './source.ts'

/**
 * The syntax tree of Rego v1 with locations. The compiler uses the same types: its output is a tree
 * with full references (`data.pkg.rule`) and with variables that have unique names within a rule
 * (`Var.source` has the original name).
 */

export type Scalar = {
  readonly kind: 'scalar'
  readonly value: Value
  readonly span: Span
}

export type Var = {
  readonly kind: 'var'
  /** Wildcards (`_`) have the names `$0`, `$1`, ...; resolved locals are unique within a rule. */
  readonly name: string
  /** The original name, if the compiler changed it. */
  readonly source: string | undefined
  readonly span: Span
}

/** `head[path[0]][path[1]]...`; `x.y` is `x["y"]`. The head is a variable, call or composite. */
export type Ref = {
  readonly kind: 'ref'
  readonly head: Term
  readonly path: readonly Term[]
  readonly span: Span
  /** Written as a call without arguments, of a rule that has a value. */
  readonly isCalled?: true
}

export type ArrayTerm = {
  readonly kind: 'array'
  readonly items: readonly Term[]
  readonly span: Span
}
export type SetTerm = {
  readonly kind: 'set'
  readonly items: readonly Term[]
  readonly span: Span
}
export type ObjectTerm = {
  readonly kind: 'object'
  readonly entries: readonly (readonly [Term, Term])[]
  readonly span: Span
}

/**
 * A call. Operators are calls of their built-ins (`plus`, `eq`, `assign`, `internal.member_2`,
 * ...), with `infix` as written.
 */
export type Call = {
  readonly kind: 'call'
  readonly operator: Var | Ref
  readonly args: readonly Term[]
  readonly infix: string | undefined
  readonly span: Span
}

export type ArrayComprehension = {
  readonly kind: 'arrayComprehension'
  readonly head: Term
  readonly body: Body
  readonly span: Span
}
export type SetComprehension = {
  readonly kind: 'setComprehension'
  readonly head: Term
  readonly body: Body
  readonly span: Span
}
export type ObjectComprehension = {
  readonly kind: 'objectComprehension'
  readonly key: Term
  readonly value: Term
  readonly body: Body
  readonly span: Span
}
export type Comprehension = ArrayComprehension | SetComprehension | ObjectComprehension

/**
 * `$"...{x}..."`: alternating text and expressions; an undefined expression prints `<undefined>`.
 */
export type Template = {
  readonly kind: 'template'
  readonly parts: readonly (string | Literal)[]
  readonly span: Span
}

export type Term =
  | Scalar
  | Var
  | Ref
  | ArrayTerm
  | SetTerm
  | ObjectTerm
  | Call
  | Comprehension
  | Template

/** A variable: under a new name if `source`, its original one, is given. */
export const variable = (name: string, span: Span, source?: string): Var => ({
  kind: 'var',
  name,
  source,
  span,
})

/** `with target as value`. */
export type With = { readonly target: Term; readonly value: Term; readonly span: Span }

type LiteralBase = {
  readonly negated: boolean
  readonly withs: readonly With[]
  readonly span: Span
}

/** A plain expression: a term, a call, `=`, `:=`, a comparison. */
export type TermLiteral = LiteralBase & { readonly kind: 'term'; readonly term: Term }

/** `some x, y`. */
export type SomeVars = LiteralBase & { readonly kind: 'some'; readonly vars: readonly Var[] }

/** `some k, v in domain`, where `k` and `v` may be patterns. */
export type SomeIn = LiteralBase & {
  readonly kind: 'someIn'
  readonly key: Term | undefined
  readonly value: Term
  readonly domain: Term
}

/** `every k, v in domain { body }`. */
export type Every = LiteralBase & {
  readonly kind: 'every'
  readonly key: Var | undefined
  readonly value: Var
  readonly domain: Term
  readonly body: Body
}

export type Literal = TermLiteral | SomeVars | SomeIn | Every

export type Body = readonly Literal[]

/**
 * The head of a rule. `ref` is the part before `contains`, the arguments or the value: `p`,
 * `p.q[x]`. Kinds: complete (`p := v`), partial set (`contains`), partial object or other ref head
 * (a ref whose path is not all strings), function (`args`).
 */
export type Head = {
  readonly ref: Ref
  readonly args: readonly Term[] | undefined
  /** The member of a partial set, after `contains`. */
  readonly member: Term | undefined
  /** The value; `true` by default (undefined only for a partial set). */
  readonly value: Term | undefined
  /** `=` or `:=` as written, where a value is written. */
  readonly assign: '=' | ':=' | undefined
  readonly span: Span
}

export type ElseBranch = {
  readonly value: Term
  readonly body: Body
  readonly span: Span
  readonly assign: '=' | ':=' | undefined
}

export type Rule = {
  readonly kind: 'rule'
  readonly head: Head
  /** Empty means true. */
  readonly body: Body
  readonly elses: readonly ElseBranch[]
  readonly isDefault: boolean
  readonly span: Span
}

/** `import path as alias`. */
export type Import = {
  readonly kind: 'import'
  readonly path: Ref
  readonly alias: string | undefined
  readonly span: Span
}

export type Package = {
  readonly kind: 'package'
  /** Starting with `data`: `package a.b` is `data.a.b`. */
  readonly path: Ref
  readonly span: Span
}

export type Comment = { readonly text: string; readonly span: Span }

/** A `# METADATA` block: its unparsed YAML text, and the statement it precedes. */
export type AnnotationBlock = {
  readonly yaml: string
  readonly target: Package | Rule | Import | undefined
  readonly span: Span
}

export type Module = {
  readonly package: Package
  readonly imports: readonly Import[]
  readonly rules: readonly Rule[]
  readonly comments: readonly Comment[]
  readonly annotations: readonly AnnotationBlock[]
}

export const isWildcard = (name: string): boolean => name.startsWith('$')

/** The name of a variable as written. */
export const writtenName = (variable: Var): string =>
  variable.source ?? (isWildcard(variable.name) ? '_' : variable.name)
