import type { Builtin } from '../builtins/builtin.ts'
import type { DocNode } from '../compile/documents.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import type { Literal } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { isComposite, type Scalar, type Value } from '../values/value.ts'
import { WrittenNumber } from '../values/writtenNumber.ts'

/**
 * Rules and queries are lowered to expressions whose variables are all bound, and steps that bind
 * them. Variables are numbered slots of a frame, each written before it is read.
 */
export type Expr =
  | { readonly op: 'const'; readonly value: Value }
  | { readonly op: 'slot'; readonly slot: number }
  | { readonly op: 'input' }
  /** A value and keys into it. */
  | { readonly op: 'lookup'; readonly base: Expr; readonly path: readonly Expr[] }
  /** A base document that no rule can affect; the empty path is all of `data`. */
  | { readonly op: 'base'; readonly path: readonly Expr[] }
  /** The value of the rules at a node, and keys into it. */
  | { readonly op: 'rule'; readonly node: DocNode; readonly path: readonly Expr[] }
  /** A node without rules, with keys that are known only at run time. */
  | { readonly op: 'tree'; readonly node: DocNode; readonly path: readonly Expr[] }
  | {
      readonly op: 'call'
      readonly builtin: Builtin
      readonly args: readonly Expr[]
      readonly span: Span
    }
  | {
      readonly op: 'apply'
      readonly node: DocNode
      readonly args: readonly Expr[]
      readonly span: Span
    }
  | { readonly op: 'array' | 'set'; readonly items: readonly Expr[] }
  | { readonly op: 'object'; readonly entries: readonly (readonly [Expr, Expr])[] }
  | {
      readonly op: 'comprehension'
      readonly kind: 'array' | 'set' | 'object'
      readonly block: Block
      readonly key: Expr | undefined
      readonly value: Expr
      /** Accumulator of the result. */
      readonly slot: number
      readonly span: Span
    }
  | {
      readonly op: 'template'
      readonly parts: readonly (string | TemplatePart)[]
      readonly span: Span
    }
  /** The text of `print`; undefined arguments are printed as such. */
  | { readonly op: 'print'; readonly args: readonly Expr[] }

export type TemplatePart = { readonly block: Block; readonly value: Expr; readonly slot: number }

/** A pattern to match a value. */
export type Pattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'bind'; readonly slot: number }
  | { readonly kind: 'equal'; readonly expr: Expr }
  | { readonly kind: 'array'; readonly items: readonly Pattern[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [Expr, Pattern])[] }

export type WithTarget =
  | { readonly kind: 'input'; readonly path: readonly Scalar[] }
  | { readonly kind: 'data'; readonly path: readonly Scalar[]; readonly hides: DocNode | undefined }
  | { readonly kind: 'function'; readonly name: string }

export type WithPlan = {
  readonly target: WithTarget
  readonly span: Span
  /** The replacement: a value, or a function for a function. */
  readonly value: Expr | { readonly op: 'function'; readonly target: Builtin | DocNode }
}

export type Step = {
  /** The literal of the step, for tracers and errors. */
  literal?: Literal | undefined
} & (
  | { readonly op: 'test'; readonly expr: Expr }
  | { readonly op: 'let'; readonly slot: number; readonly expr: Expr }
  | { readonly op: 'match'; readonly pattern: Pattern; readonly expr: Expr }
  | { readonly op: 'scan'; readonly over: Expr; readonly key: Pattern; readonly value: Pattern }
  /** A loop over the members with a value at a path: see `withProbes`. */
  | {
      readonly op: 'probe'
      readonly over: Expr
      readonly key: Pattern
      readonly member: number
      readonly path: readonly Scalar[]
      /** Additional slot for the compared value. */
      readonly alias: number | undefined
      readonly equals: Expr
    }
  /** Puts a node of the document tree into a slot; the next three steps start from it. */
  | { readonly op: 'docEnter'; readonly slot: number; readonly node: DocNode }
  | { readonly op: 'docStep'; readonly from: number; readonly to: number; readonly key: Expr }
  | { readonly op: 'docScan'; readonly from: number; readonly to: number; readonly key: Pattern }
  | { readonly op: 'docForce'; readonly from: number; readonly to: number }
  /** A loop over the results of a relation (`walk`). */
  | {
      readonly op: 'relation'
      readonly builtin: Builtin
      readonly args: readonly Expr[]
      readonly span: Span
      readonly pattern: Pattern
    }
  | { readonly op: 'not'; readonly block: Block }
  | {
      readonly op: 'every'
      readonly over: Expr
      readonly key: Pattern
      readonly value: Pattern
      readonly block: Block
    }
  | { readonly op: 'with'; readonly withs: readonly WithPlan[]; readonly block: Block }
)

export type Block = readonly Step[]

/** One branch of a rule: its body, then the terms of its head. */
export type BranchPlan = {
  readonly block: Block
  readonly value: Expr | undefined
  readonly member: Expr | undefined
  readonly rest: readonly Expr[]
}

export type RulePlan = {
  readonly rule: ResolvedRule
  readonly branches: readonly BranchPlan[]
  /** Slots of a frame: the result is in slot 0, then the arguments. */
  readonly slots: number
}

/** The slot of a rule's result during its evaluation. */
export const RESULT = 0

type Constant = Expr & { readonly op: 'const' }

export const isConstant = (expr: Expr): expr is Constant => expr.op === 'const'

export const isConstantKey = (expr: Expr): expr is Constant & { readonly value: Scalar } =>
  isConstant(expr) && !isComposite(expr.value) && !(expr.value instanceof WrittenNumber)
