import type { Builtin } from '../builtins/builtin.ts'
import { functionArity, nodeAt } from '../compile/calls.ts'
import type { DocNode } from '../compile/documents.ts'
import { constantPath, isDataRef } from '../compile/references.ts'
import type { Call, Comprehension, ObjectTerm, Template, Term } from '../syntax/ast.ts'
import { stringify } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import { bare } from '../values/writtenNumber.ts'
import { literal } from './literal.ts'
import { type Expr, isConstant } from './plan.ts'
import { PlanState } from './planState.ts'

/** Plans terms whose variables are all bound. */
export abstract class ExpressionPlanner extends PlanState {
  protected abstract closure(term: Comprehension | Template): Expr

  /** The value of a term whose variables are all bound. */
  protected expr(term: Term): Expr {
    const followed = this.followed.get(term)
    if (followed !== undefined) return { op: 'slot', slot: followed }
    switch (term.kind) {
      case 'scalar':
        return { op: 'const', value: literal(term) }
      case 'var': {
        if (term.name === 'input') return { op: 'input' }
        const slot = this.bound.get(term.name)
        if (slot === undefined) throw new Error(`variable ${term.name} has no slot`)
        return { op: 'slot', slot }
      }
      case 'ref':
        if (isDataRef(term)) return this.data(term.path)
        return into(
          this.expr(term.head),
          term.path.map((part) => this.expr(part)),
        )
      case 'array':
        return folded({ op: 'array', items: term.items.map((item) => this.expr(item)) })
      case 'set':
        return folded({ op: 'set', items: term.items.map((item) => this.expr(item)) })
      case 'object':
        return folded({
          op: 'object',
          entries: this.ordered(term.entries).map(
            ([k, v]) => [this.expr(k), this.expr(v)] as const,
          ),
        })
      case 'call':
        return this.call(term)
      default:
        return this.closure(term)
    }
  }

  /**
   * The last entry of a key wins: of those in the text, but in OPA in the order of its terms, where the value
   * of an entry before another one with a key that is written alike is not evaluated.
   */
  private ordered(entries: ObjectTerm['entries']): ObjectTerm['entries'] {
    if (this.context.dialect !== 'opa-1.2') return entries
    const last = new Map(entries.map((entry) => [writtenKey(entry[0]), entry]))
    return entries
      .filter((entry) => last.get(writtenKey(entry[0])) === entry)
      .sort(([a], [b]) => rank(a) - rank(b))
  }

  protected call(term: Call): Expr {
    const { builtin, node } = this.operator(term)
    const args = term.args.map((arg) => this.expr(arg))
    if (node !== undefined) return { op: 'apply', node, args, span: term.span }
    if (builtin === undefined) throw new Error(`no function ${term.operator.span.text}`)
    if (builtin.relation) throw new Error(`${builtin.name} was not iterated over`)
    if (builtin.name === 'print') return { op: 'print', args }
    const constant = this.context.constantCall?.(builtin.name)
    if (constant !== undefined) return { op: 'const', value: constant }
    return { op: 'call', builtin, args, span: term.span }
  }

  /** The deepest node that constant keys lead to; `outside` if the path leaves the tree there. */
  protected descend(path: readonly Term[]): { node: DocNode; depth: number; outside: boolean } {
    let node = this.context.tree.root
    let depth = 0
    for (const key of constantPath(path)) {
      if (node.kind !== undefined) break
      const child = node.children.get(key)
      if (child === undefined) return { node, depth, outside: true }
      node = child
      depth++
    }
    const outside = node.kind === undefined && node.children.size === 0 && !node.isPackage
    return { node, depth, outside }
  }

  /** A reference below `data` with all keys known. */
  protected data(path: readonly Term[]): Expr {
    const { node, depth, outside } = this.descend(path)
    if (outside) return { op: 'base', path: path.map((part) => this.expr(part)) }
    const rest = path.slice(depth).map((part) => this.expr(part))
    return { op: node.kind === undefined ? 'tree' : 'rule', node, path: rest }
  }

  protected arity(operator: Call['operator']): number {
    if (operator.kind === 'var') {
      return this.context.builtins.get(operator.name)?.args.length ?? 0
    }
    const node = nodeAt(this.context.tree, operator)
    return (node === undefined ? undefined : functionArity(node)) ?? 0
  }

  protected operator(call: Call): { builtin?: Builtin; node?: DocNode } {
    const { operator } = call
    const found =
      operator.kind === 'var'
        ? { builtin: this.context.builtins.get(operator.name) }
        : { node: nodeAt(this.context.tree, operator) }
    return found as { builtin?: Builtin; node?: DocNode }
  }
}

/** A value and further keys into it. */
export function into(base: Expr, path: readonly Expr[]): Expr {
  if (path.length === 0) return base
  if (base.op === 'lookup' || base.op === 'base' || base.op === 'rule' || base.op === 'tree') {
    return { ...base, path: [...base.path, ...path] }
  }
  return { op: 'lookup', base, path }
}

const RANKS: Partial<Record<Term['kind'], number>> = {
  ...{ scalar: 0, call: 2, array: 5, object: 6, set: 7 },
}

/** OPA sorts variables by names, and names the values of calls before those of references. */
function rank(key: Term): number {
  if (key.kind === 'var') return key.source === undefined ? 4 : 1
  return RANKS[key.kind] ?? 3
}

/** A text that is the same for keys that are written alike, and for the same document by different names. */
function writtenKey(key: Term): string {
  const constant = constantKey(key)
  if (constant !== undefined) return constant
  const path = key.kind === 'ref' ? key.path.map(constantKey) : [undefined]
  return key.kind === 'ref' && key.head.kind === 'var' && !path.includes(undefined)
    ? `\0${key.head.name}[${path.join('][')}]`
    : `\0${key.span.text}`
}

/** A text for a key that is a scalar or an array of constants; undefined for others. */
function constantKey(key: Term): string | undefined {
  if (key.kind === 'scalar') return stringify(bare(key.value))
  if (key.kind !== 'array') return undefined
  const items = key.items.map(constantKey)
  return items.includes(undefined) ? undefined : `[${items.join()}]`
}

/** A composite of constants is a constant. */
function folded(expr: Expr & { op: 'array' | 'set' | 'object' }): Expr {
  if (expr.op === 'object') {
    if (!expr.entries.every(([k, v]) => isConstant(k) && isConstant(v))) return expr
    const entries = expr.entries.flatMap(([k, v]) =>
      isConstant(k) && isConstant(v) ? [[k.value, v.value] as const] : [],
    )
    return { op: 'const', value: RegoObject.from(entries) }
  }
  if (!expr.items.every(isConstant)) return expr
  const items = expr.items.map((item) => item.value)
  return { op: 'const', value: expr.op === 'array' ? items : RegoSet.from(items) }
}
