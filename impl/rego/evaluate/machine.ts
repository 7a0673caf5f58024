import { type DocNode, descendants } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import { headTerms } from '../compile/safety.ts'
import { RegoError } from '../errors.ts'
import type { Span } from '../syntax/source.ts'
import { equal } from '../values/compare.ts'
import { RegoSet } from '../values/set.ts'
import { isComposite, type Scalar, type Value } from '../values/value.ts'
import { Builder } from './build.ts'
import { callBuiltin } from './builtinCalls.ts'
import type { Frame, Next } from './closure.ts'
import { Context, type Replacement } from './context.ts'
import { extent } from './documents.ts'
import { isLight } from './light.ts'
import { lookup } from './lookup.ts'
import { type BranchPlan, RESULT, type RulePlan, type WithTarget } from './plan.ts'
import { functionKey, Planner } from './planner.ts'
import { type RuleIndex, ruleIndex } from './ruleIndex.ts'
import { type Tracer, tracedBranch } from './tracer.ts'
import { Tree } from './tree.ts'

type CompiledRule = {
  readonly rule: ResolvedRule
  readonly slots: number
  readonly branches: readonly Next[]
  /** The value where it is the same for all solutions of all branches. */
  readonly constant: Value | undefined
  readonly isLight: boolean
}

type CompiledNode = {
  readonly rules: readonly CompiledRule[]
  readonly default: CompiledRule | undefined
  /** All rules have this one value: the first that holds decides. */
  readonly constant: Value | undefined
  readonly index: RuleIndex<CompiledRule> | undefined
  /** A function that is as quick as the look into a memo would be. */
  readonly isLight: boolean
}

export type MachineOptions = {
  readonly tracer?: Tracer | undefined
  readonly constantCall?: ((rule: ResolvedRule, name: string) => Value | undefined) | undefined
}

/**
 * A program ready to run: its rules become closures when they are first needed. Holds nothing
 * of an evaluation; that is in the contexts.
 */
export class Machine {
  readonly program: Program
  private readonly options: MachineOptions
  private readonly compiled = new Map<DocNode, CompiledNode>()
  readonly builder: Builder

  constructor(program: Program, options: MachineOptions = {}) {
    this.program = program
    this.options = options
    this.builder = new Builder(this, options.tracer)
  }

  planner(slots: number, rule?: ResolvedRule): Planner {
    const { tree, builtins } = this.program
    const constantCall = this.options.constantCall
    return new Planner(
      rule === undefined || constantCall === undefined
        ? { tree, builtins }
        : { tree, builtins, constantCall: (name) => constantCall(rule, name) },
      slots,
    )
  }

  // --- values of rules ---------------------------------------------------------------------

  /** The value of the rules at a node, evaluated at most once in a context. */
  value(c: Context, node: DocNode): Value | undefined {
    const owner = c.ownerOf(node)
    const known = owner.memo.get(node)
    if (known !== undefined) return known.value
    const value = this.evaluate(owner, node)
    owner.memo.set(node, { value })
    return value
  }

  private evaluate(c: Context, node: DocNode): Value | undefined {
    c.run.charge(1)
    switch (node.kind) {
      case 'complete':
        return this.complete(c, this.compiledNode(node), undefined)
      case 'set': {
        const set = new RegoSet()
        const { rules, index } = this.compiledNode(node)
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

  /** The value of one rule: of the first of its branches that has one. */
  private single(
    c: Context,
    compiled: CompiledRule,
    args: readonly Value[] | undefined,
  ): Value | undefined {
    const f: Frame = new Array(compiled.slots)
    if (args !== undefined) for (let i = 0; i < args.length; i++) f[i + 1] = args[i]
    for (const branch of compiled.branches) {
      f[RESULT] = undefined
      branch(c, f)
      if (f[RESULT] !== undefined) return f[RESULT]
    }
    return undefined
  }

  private run(c: Context, compiled: CompiledRule, into: Value): void {
    const f: Frame = new Array(compiled.slots)
    f[RESULT] = into
    for (const branch of compiled.branches) branch(c, f)
  }

  /** The rules with dynamic heads at a node, and all that is below it. */
  private objectTree(c: Context, node: DocNode): Tree {
    const tree = this.dynamicTree(c, node)
    this.addChildren(c, node, tree)
    return tree
  }

  private dynamicTree(c: Context, node: DocNode): Tree {
    const tree = new Tree()
    for (const compiled of this.compiledNode(node).rules) {
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
          for (const compiled of this.compiledNode(child).rules) {
            this.run(c, compiled, below as unknown as Value)
          }
        }
        this.addChildren(c, child, below)
      } else {
        const value = this.value(c, child)
        if (value === undefined) continue
        if (child.kind === 'set') tree.containAll(key, value as RegoSet, span)
        else tree.insert(key, value, span)
      }
    }
  }

  /** A member of a node with dynamic heads, without evaluating its other children. */
  member(c: Context, node: DocNode, path: readonly Value[]): Value | undefined {
    const [first] = path as [Value]
    const child = isComposite(first) ? undefined : node.children.get(first)
    if (child === undefined && node.children.size === 0) {
      return followed(this.value(c, node), path, 0)
    }
    const dynamic = this.dynamicPart(c, node)
    if (child === undefined || child.kind === 'function') return followed(dynamic, path, 0)
    const found = dynamic === undefined ? undefined : lookup(dynamic, first)
    if (found !== undefined) return followed(this.value(c, node), path, 0)
    if (child.kind === 'object' && path.length > 1) return this.member(c, child, path.slice(1))
    if (child.kind !== undefined) return followed(this.value(c, child), path, 1)
    return followed(extent(c, child, undefined), path, 1)
  }

  private dynamicPart(c: Context, node: DocNode): Value {
    const owner = c.ownerOf(node)
    const known = owner.dynamic.get(node)
    if (known !== undefined) return known
    const value = this.dynamicTree(owner, node).toValue()
    owner.dynamic.set(node, value)
    return value
  }

  // --- functions ---------------------------------------------------------------------------

  /** Calls a function of the policy, or what stands in for it. */
  apply(c: Context, node: DocNode, args: readonly Value[], span: Span): Value | undefined {
    const replacement = c.replaced?.get(functionKey(node))
    if (replacement !== undefined) return this.mocked(c, replacement, args, span)
    return this.call(c, node, args)
  }

  private call(c: Context, node: DocNode, args: readonly Value[]): Value | undefined {
    c.run.charge(1)
    const owner = c.ownerOf(node)
    const compiled = this.compiledNode(node)
    const key = compiled.isLight ? undefined : memoKey(args)
    if (key === undefined) return this.complete(owner, compiled, args)
    let memo = owner.calls.get(node)
    if (memo === undefined) {
      memo = new Map()
      owner.calls.set(node, memo)
    }
    const known = memo.get(key)
    if (known !== undefined) return known.value
    const value = this.complete(owner, compiled, args)
    c.run.allocate(64)
    memo.set(key, { value })
    return value
  }

  /** What a replaced function gives; inside its replacement nothing is replaced. */
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

  // --- compilation -------------------------------------------------------------------------

  private compiledNode(node: DocNode): CompiledNode {
    const known = this.compiled.get(node)
    if (known !== undefined) return known
    const rules = node.rules.map((rule) => this.compileRule(rule))
    const constant = sharedConstant(rules)
    const compiled: CompiledNode = {
      rules,
      default: node.default === undefined ? undefined : this.compileRule(node.default),
      constant,
      // who watches wants to see all of them tried
      index: this.options.tracer === undefined ? ruleIndex(rules) : undefined,
      isLight: rules.length < 8 && rules.every((rule) => rule.isLight),
    }
    this.compiled.set(node, compiled)
    return compiled
  }

  plan(rule: ResolvedRule): RulePlan {
    const arity = rule.args?.length ?? 0
    const planner = this.planner(arity + 1, rule)
    const args = new Map<string, number>()
    rule.args?.forEach((arg, i) => {
      args.set(arg.name, i + 1)
    })
    const branches = rule.branches.map((branch): BranchPlan => {
      planner.begin(args)
      planner.body(branch.body)
      const values = new Map(headTerms(rule, branch).map((term) => [term, planner.value(term)]))
      const of = (term: (typeof branch)['value']): ReturnType<typeof planner.value> | undefined =>
        term === undefined ? undefined : values.get(term)
      const rest = rule.rest.map((term) => values.get(term) as NonNullable<ReturnType<typeof of>>)
      return { block: planner.finish(), value: of(branch.value), member: of(branch.member), rest }
    })
    return { rule, branches, slots: planner.slotCount }
  }

  private compileRule(rule: ResolvedRule): CompiledRule {
    const plan = this.plan(rule)
    const { tracer } = this.options
    const branches = plan.branches.map((branch, i) => {
      const run = this.builder.block(branch.block, this.head(rule, branch))
      return tracer === undefined ? run : tracedBranch(tracer, rule, i, run)
    })
    return { rule, slots: plan.slots, branches, constant: constantOf(plan), isLight: isLight(plan) }
  }

  private head(rule: ResolvedRule, branch: BranchPlan): Next {
    const { builder } = this
    if (branch.rest.length > 0) return this.dynamicHead(rule, branch)
    if (branch.member !== undefined) {
      const member = builder.expr(branch.member)
      return (c, f) => {
        const value = member(c, f)
        if (value === undefined) return false
        c.run.allocate(48)
        const set = f[RESULT] as RegoSet
        set.add(value)
        return false
      }
    }
    const value = builder.expr(branch.value ?? { op: 'const', value: true })
    const constant = branch.value?.op === 'const'
    return (c, f) => {
      const found = value(c, f)
      if (found === undefined) return false
      const before = f[RESULT]
      if (before === undefined) f[RESULT] = found
      else if (!equal(before, found)) throw conflict(rule)
      return constant
    }
  }

  private dynamicHead(rule: ResolvedRule, branch: BranchPlan): Next {
    const keys = branch.rest.map((expr) => this.builder.expr(expr))
    const leaf = this.builder.expr(branch.member ?? branch.value ?? { op: 'const', value: true })
    const isSet = branch.member !== undefined
    const { span } = rule
    return (c, f) => {
      let tree = f[RESULT] as unknown as Tree
      const last = keys.length - 1
      const path: Value[] = []
      for (const key of keys) {
        const value = key(c, f)
        if (value === undefined) return false
        path.push(value)
      }
      const value = leaf(c, f)
      if (value === undefined) return false
      c.run.allocate(64 * keys.length)
      for (let i = 0; i < last; i++) tree = tree.child(path[i] as Value, span)
      if (isSet) tree.contain(path[last] as Value, value, span)
      else tree.insert(path[last] as Value, value, span)
      return false
    }
  }

  // --- with --------------------------------------------------------------------------------

  /** The node and those below it, into a set. */
  below(node: DocNode, into: Set<DocNode>): void {
    descendants(node, (each) => {
      into.add(each)
    })
  }

  /** The nodes whose values may change when these targets do. */
  affected(targets: readonly WithTarget[]): ReadonlySet<DocNode> {
    const { sorted, reads } = this.program
    const affected = new Set<DocNode>()
    for (const node of sorted) {
      const rules = node.default === undefined ? node.rules : [...node.rules, node.default]
      const hit = rules.some((rule) => {
        const read = reads.get(rule)
        if (read === undefined) return true
        for (const other of read.nodes) if (affected.has(other)) return true
        return targets.some((target) => {
          if (target.kind === 'input') return read.input
          if (target.kind === 'data') return read.data.some((path) => overlaps(path, target.path))
          if (read.calls.has(target.name)) return true
          for (const other of read.nodes) if (functionKey(other) === target.name) return true
          return false
        })
      })
      if (hit) affected.add(node)
    }
    return affected
  }
}

const overlaps = (a: readonly Scalar[], b: readonly Scalar[]): boolean => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false
  return true
}

const firstRule = (node: DocNode): ResolvedRule | undefined => {
  if (node.rules[0] !== undefined) return node.rules[0]
  for (const child of node.children.values()) {
    const found = firstRule(child)
    if (found !== undefined) return found
  }
  return node.default
}

const followed = (
  value: Value | undefined,
  path: readonly Value[],
  from: number,
): Value | undefined => {
  let found = value
  for (let i = from; i < path.length; i++) {
    if (found === undefined) return undefined
    found = lookup(found, path[i] as Value)
  }
  return found
}

/** Arguments as the key of a map, where that is cheap: all of them scalars. */
const memoKey = (args: readonly Value[]): Scalar | string | undefined => {
  if (args.length === 0) return ''
  if (args.length === 1) {
    const [only] = args as [Value]
    return isComposite(only) ? undefined : only
  }
  let key = ''
  for (const arg of args) {
    if (isComposite(arg)) return undefined
    key += typeof arg === 'string' ? `${arg.length}"${arg}` : `${typeof arg}${String(arg)},`
  }
  return key
}

const constantOf = (plan: RulePlan): Value | undefined => {
  let constant: Value | undefined
  for (const { value, rest } of plan.branches) {
    if (value?.op !== 'const' || rest.length > 0) return undefined
    if (constant !== undefined && !equal(constant, value.value)) return undefined
    constant = value.value
  }
  return constant
}

const sharedConstant = (rules: readonly CompiledRule[]): Value | undefined => {
  let constant: Value | undefined
  for (const rule of rules) {
    if (rule.constant === undefined) return undefined
    if (constant !== undefined && !equal(constant, rule.constant)) return undefined
    constant = rule.constant
  }
  return constant
}

const conflict = (rule: ResolvedRule): RegoError => {
  const message =
    rule.args === undefined
      ? 'complete rules must not produce multiple outputs'
      : 'functions must not produce multiple outputs for same inputs'
  return new RegoError('eval_conflict_error', message, { location: rule.span.location })
}
