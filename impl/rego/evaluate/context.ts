import type { Builtin } from '../builtins/builtin.ts'
import type { DocNode } from '../compile/documents.ts'
import type { Span } from '../syntax/source.ts'
import { RegoObject } from '../values/object.ts'
import { isComposite, isObject, type Scalar, type Value } from '../values/value.ts'
import { below } from './affected.ts'
import type { WithTarget } from './plan.ts'
import type { Run } from './run.ts'

/** The replacement of a function by `with`. */
export type Replacement =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'builtin'; readonly builtin: Builtin }
  | { readonly kind: 'node'; readonly node: DocNode }

/** Access of closures to the values of rules; implemented by `Machine`. */
export type RuleEvaluator = {
  /** The value of the rules at a node, evaluated at most once per context. */
  value(c: Context, node: DocNode): Value | undefined
  /** A member of a node with dynamic heads, without evaluating its other children. */
  member(c: Context, node: DocNode, path: readonly Value[]): Value | undefined
  /** Calls a function of the policy, or its replacement. */
  apply(c: Context, node: DocNode, args: readonly Value[], span: Span): Value | undefined
  /** The result of a replaced function; nothing is replaced inside its replacement. */
  mocked(
    c: Context,
    replacement: Replacement,
    args: readonly Value[],
    span: Span,
  ): Value | undefined
}

/**
 * The context of an expression: the documents, and cached values. `with` evaluates its expression
 * in a new context, whose parent is the enclosing one.
 */
export class Context {
  readonly run: Run
  readonly rules: RuleEvaluator
  readonly parent: Context | undefined
  input: Value | undefined
  data: Value
  /** Nodes whose rules are replaced by a base document. */
  hidden: ReadonlySet<DocNode> | undefined
  replaced: ReadonlyMap<string, Replacement> | undefined
  /** Values by node. The first has a place of its own: many evaluations need one rule and no map. */
  private memo: Map<DocNode, Memo> | undefined
  private firstNode: DocNode | undefined
  private first: Memo | undefined
  /** The members from rules with dynamic heads, without the fixed ones. */
  dynamic: Map<DocNode, Value> | undefined
  calls: Map<DocNode, Map<Scalar, Memo>> | undefined
  /** The nodes whose values differ from those in the parent; all if unknown. */
  readonly affected: ReadonlySet<DocNode> | undefined

  constructor(
    base: {
      readonly run: Run
      readonly rules: RuleEvaluator
      input: Value | undefined
      data: Value
    },
    parent: Context | undefined,
    affected: ReadonlySet<DocNode> | undefined,
  ) {
    this.run = base.run
    this.rules = base.rules
    this.input = base.input
    this.data = base.data
    this.parent = parent
    this.affected = affected
    this.hidden = parent?.hidden
    this.replaced = parent?.replaced
  }

  /** The value of a node that was evaluated in this context before. */
  known(node: DocNode): Memo | undefined {
    return this.firstNode === node ? this.first : this.memo?.get(node)
  }

  remember(node: DocNode, value: Value | undefined): void {
    if (this.firstNode === undefined) {
      this.firstNode = node
      this.first = { value }
    } else {
      this.memo ??= new Map()
      this.memo.set(node, { value })
    }
  }

  /** The context for evaluating a node: the outermost one with the same value. */
  ownerOf(node: DocNode): Context {
    let owner: Context = this
    while (
      owner.parent !== undefined &&
      owner.affected !== undefined &&
      !owner.affected.has(node)
    ) {
      owner = owner.parent
    }
    return owner
  }

  replace(target: WithTarget, value: Value): void {
    if (target.kind === 'input') {
      this.input = patched(this.input, target.path, 0, value)
    } else if (target.kind === 'data') {
      this.data = patched(this.data, target.path, 0, value)
      if (target.hides !== undefined) {
        const hidden = new Set(this.hidden)
        below(target.hides, hidden)
        this.hidden = hidden
      }
    } else {
      this.replaceFunction(target.name, { kind: 'value', value })
    }
  }

  replaceFunction(name: string, replacement: Replacement): void {
    this.replaced = new Map([...(this.replaced ?? []), [name, replacement]])
  }
}

export type Memo = { readonly value: Value | undefined }

/**
 * A document with the value at a path replaced; values on the path that are not objects become
 * objects.
 */
function patched(
  document: Value | undefined,
  path: readonly Scalar[],
  at: number,
  value: Value,
): Value {
  const key = path[at]
  if (key === undefined) return value
  const isObj = document !== undefined && isComposite(document) && isObject(document)
  const object = isObj ? document.copy() : new RegoObject()
  return object.set(key, patched(object.get(key), path, at + 1, value))
}
