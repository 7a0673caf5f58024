import type { DocNode } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { located } from '../errors.ts'
import type { Span } from '../syntax/source.ts'
import { equal } from '../values/compare.ts'
import { RegoSet } from '../values/set.ts'
import { isComposite, type Scalar, type SetValue, type Value } from '../values/value.ts'
import { bare, WrittenNumber } from '../values/writtenNumber.ts'
import { callBuiltin } from './builtinCalls.ts'
import type { Frame } from './closure.ts'
import type { CompiledNode, CompiledRule } from './compiledRule.ts'
import { conflict } from './conflict.ts'
import { Context, type Replacement, type RuleEvaluator } from './context.ts'
import { extent } from './documents.ts'
import { lookup } from './lookup.ts'
import { RESULT } from './plan.ts'
import { functionKey } from './planner.ts'
import { type MachineOptions, RuleCompiler } from './ruleCompiler.ts'
import { Tree } from './tree.ts'

/**
 * An executable program: closures of its rules are built on first use. State of an evaluation is in
 * its contexts.
 */
export class Machine implements RuleEvaluator {
  readonly program: Program
  readonly compiler: RuleCompiler

  constructor(program: Program, options: MachineOptions = {}) {
    this.program = program
    this.compiler = new RuleCompiler(program, options)
  }

  // --- values of rules ---------------------------------------------------------------------

  value(c: Context, node: DocNode): Value | undefined {
    const owner = c.ownerOf(node)
    const known = owner.known(node)
    if (known !== undefined) return known.value
    const value = this.evaluate(owner, node)
    owner.remember(node, value)
    return value
  }

  private evaluate(c: Context, node: DocNode): Value | undefined {
    c.run.charge(1)
    switch (node.kind) {
      case 'complete':
        return this.complete(c, this.compiler.node(node), undefined)
      case 'set': {
        const set = new RegoSet()
        const { rules, index } = this.compiler.node(node)
        for (const compiled of index === undefined ? rules : index(c, undefined)) {
          this.run(c, compiled, set)
        }
        return set
      }
      case 'object':
        return this.objectTree(c, node).toValue()
      default:
        return undefined
    }
  }

  private complete(
    c: Context,
    node: CompiledNode,
    args: readonly Value[] | undefined,
  ): Value | undefined {
    let result: Value | undefined
    for (const compiled of node.index === undefined ? node.rules : node.index(c, args)) {
      const value = this.single(c, compiled, args)
      if (value === undefined) continue
      if (node.constant !== undefined) return value
      if (result === undefined) result = value
      else if (!equal(result, value)) throw conflict(compiled.rule)
    }
    if (result === undefined && node.default !== undefined) {
      return this.single(c, node.default, args)
    }
    return result
  }

  /** The value of a rule: that of the first branch that has one. */
  private single(
    c: Context,
    compiled: CompiledRule,
    args: readonly Value[] | undefined,
  ): Value | undefined {
    const { slots, weight, branches } = compiled.code
    const f: Frame = new Array(slots)
    if (args !== undefined) for (let i = 0; i < args.length; i++) f[i + 1] = args[i]
    try {
      c.run.enter(weight)
      for (const branch of branches) {
        f[RESULT] = undefined
        branch(c, f)
        if (f[RESULT] !== undefined) break
      }
    } catch (error) {
      throw located(error, compiled.rule.span.location)
    }
    c.run.leave(weight)
    return f[RESULT]
  }

  private run(c: Context, compiled: CompiledRule, into: Value): void {
    const { slots, weight, branches } = compiled.code
    const f: Frame = new Array(slots)
    f[RESULT] = into
    try {
      c.run.enter(weight)
      for (const branch of branches) branch(c, f)
    } catch (error) {
      throw located(error, compiled.rule.span.location)
    }
    c.run.leave(weight)
  }

  /** The rules with dynamic heads at a node, and all of its descendants. */
  private objectTree(c: Context, node: DocNode): Tree {
    const tree = this.dynamicTree(c, node)
    this.addChildren(c, node, tree)
    return tree
  }

  private dynamicTree(c: Context, node: DocNode): Tree {
    const tree = new Tree()
    for (const compiled of this.compiler.node(node).rules) {
      this.run(c, compiled, tree as unknown as Value)
    }
    return tree
  }

  private addChildren(c: Context, node: DocNode, tree: Tree): void {
    for (const [key, child] of node.children) {
      if (child.kind === 'function') continue
      const { span } = firstRule(child) ?? firstRule(node) ?? ({} as ResolvedRule)
      if (child.kind === undefined || child.kind === 'object') {
        const below = tree.child(key, span)
        if (child.kind === 'object') {
          for (const compiled of this.compiler.node(child).rules) {
            this.run(c, compiled, below as unknown as Value)
          }
        }
        this.addChildren(c, child, below)
      } else {
        const value = this.value(c, child)
        if (value === undefined) continue
        if (child.kind === 'set') tree.containAll(key, value as SetValue, span)
        else tree.insert(key, value, span)
      }
    }
  }

  member(c: Context, node: DocNode, path: readonly Value[]): Value | undefined {
    const [first] = path as [Value]
    const child = isComposite(first) ? undefined : node.children.get(bare(first))
    if (child === undefined && node.children.size === 0) {
      return followed(c, this.value(c, node), path, 0)
    }
    const dynamic = this.dynamicPart(c, node)
    if (child === undefined || child.kind === 'function') return followed(c, dynamic, path, 0)
    const found = dynamic === undefined ? undefined : lookup(dynamic, first, c)
    if (found !== undefined) return followed(c, this.value(c, node), path, 0)
    if (child.kind === 'object' && path.length > 1) return this.member(c, child, path.slice(1))
    if (child.kind !== undefined) return followed(c, this.value(c, child), path, 1)
    return followed(c, extent(c, child, undefined), path, 1)
  }

  private dynamicPart(c: Context, node: DocNode): Value {
    const owner = c.ownerOf(node)
    const known = owner.dynamic?.get(node)
    if (known !== undefined) return known
    const value = this.dynamicTree(owner, node).toValue()
    owner.dynamic ??= new Map()
    owner.dynamic.set(node, value)
    return value
  }

  // --- functions ---------------------------------------------------------------------------

  apply(c: Context, node: DocNode, args: readonly Value[], span: Span): Value | undefined {
    const replacement = c.replaced?.get(functionKey(node))
    if (replacement !== undefined) return this.mocked(c, replacement, args, span)
    return this.call(c, node, args)
  }

  private call(c: Context, node: DocNode, args: readonly Value[]): Value | undefined {
    c.run.charge(1)
    const owner = c.ownerOf(node)
    const compiled = this.compiler.node(node)
    const key = compiled.isLight ? undefined : memoKey(args)
    if (key === undefined) return this.complete(owner, compiled, args)
    let memo = owner.calls?.get(node)
    if (memo === undefined) {
      memo = new Map()
      owner.calls ??= new Map()
      owner.calls.set(node, memo)
    }
    const known = memo.get(key)
    if (known !== undefined) return known.value
    const value = this.complete(owner, compiled, args)
    c.run.allocate(64 + (typeof key === 'string' ? 2 * key.length : 0))
    memo.set(key, { value })
    return value
  }

  mocked(
    c: Context,
    replacement: Replacement,
    args: readonly Value[],
    span: Span,
  ): Value | undefined {
    if (replacement.kind === 'value') return replacement.value
    if (replacement.kind === 'builtin') return callBuiltin(c, replacement.builtin, args, span)
    const inner = new Context(c, c, undefined)
    inner.replaced = undefined
    return this.call(inner, replacement.node, args)
  }
}

function firstRule(node: DocNode): ResolvedRule | undefined {
  if (node.rules[0] !== undefined) return node.rules[0]
  for (const child of node.children.values()) {
    const found = firstRule(child)
    if (found !== undefined) return found
  }
  return node.default
}

function followed(
  c: Context,
  value: Value | undefined,
  path: readonly Value[],
  from: number,
): Value | undefined {
  let found = value
  for (let i = from; i < path.length; i++) {
    if (found === undefined) return undefined
    found = lookup(found, path[i] as Value, c)
  }
  return found
}

/**
 * Arguments as a map key, where cheap: all are scalars. Not for written numbers: the function may
 * format them.
 */
function memoKey(args: readonly Value[]): Scalar | string | undefined {
  if (args.length === 0) return ''
  if (args.length === 1) {
    const [only] = args as [Value]
    return isComposite(only) || only instanceof WrittenNumber ? undefined : only
  }
  let key = ''
  for (const arg of args) {
    if (isComposite(arg) || arg instanceof WrittenNumber) return undefined
    key += typeof arg === 'string' ? `${arg.length}"${arg}` : `${typeof arg}${String(arg)},`
  }
  return key
}
